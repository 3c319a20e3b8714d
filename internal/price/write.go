package price

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends the table as a file that Parse reads, a model a line: of a
// large one, only the lines that name a model need reading (see ParseFor).
func (t *Table) AppendJSON(dst []byte) []byte {
	dst = append(dst, "{\n \"schema\": 1,\n \"unit\": \""+Unit+"\",\n"...)
	if t.Checked != "" {
		dst = append(dst, " \"checked\": \""+t.Checked+"\",\n"...)
	}
	dst = append(dst, " \"models\": [\n"...)
	for i := range t.Models {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = t.Models[i].AppendJSON(append(dst, "  "...))
	}
	return append(dst, "\n ]\n}\n"...)
}

// AppendJSON appends the row as a table holds it.
func (m *Model) AppendJSON(dst []byte) []byte {
	w := writer{append(dst, '{')}
	w.text("id", m.ID)
	if len(m.Aliases) > 0 {
		w.name("aliases")
		w.list(len(m.Aliases), func(i int) { w.quote(m.Aliases[i]) })
	}
	w.text("successor", m.Successor)
	w.text("source", m.Source)
	w.text("checked", m.Checked)
	w.text("note", m.Note)
	w.name("periods")
	w.list(len(m.Periods), func(i int) { w.period(&m.Periods[i]) })
	return append(w.out, '}')
}

type writer struct{ out []byte }

// name begins a member; one that says nothing is not begun.
func (w *writer) name(name string) {
	if last := w.out[len(w.out)-1]; last != '{' {
		w.out = append(w.out, ", "...)
	}
	w.quote(name)
	w.out = append(w.out, ": "...)
}

func (w *writer) quote(s string) { w.out, _ = jsontext.AppendQuote(w.out, s) }

func (w *writer) list(n int, each func(i int)) {
	w.out = append(w.out, '[')
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		each(i)
	}
	w.out = append(w.out, ']')
}

func (w *writer) text(name, value string) {
	if value != "" {
		w.name(name)
		w.quote(value)
	}
}

func (w *writer) number(name string, n float64) {
	w.name(name)
	w.out = strconv.AppendFloat(w.out, n, 'f', -1, 64)
}

func (w *writer) factor(name string, n float64) {
	if n != 0 {
		w.number(name, n)
	}
}

func (w *writer) period(p *Period) {
	w.out = append(w.out, '{')
	w.text("from", p.From)
	w.text("to", p.To)
	w.text("like", p.Like)
	if p.Like == "" {
		w.name("tiers")
		w.tiers(p.Tiers)
	}
	w.offer("fast", p.Fast)
	w.offer("batch", p.Batch)
	w.offer("flex", p.Flex)
	w.offer("priority", p.Priority)
	w.factor("regional", p.Regional)
	w.factor("profile", p.Profile)
	w.factor("web_search", p.WebSearch)
	w.out = append(w.out, '}')
}

func (w *writer) offer(name string, o Offer) {
	if len(o.Tiers) == 0 {
		w.factor(name, o.Factor)
		return
	}
	w.name(name)
	w.tiers(o.Tiers)
}

func (w *writer) tiers(tiers []Rates) {
	w.list(len(tiers), func(i int) {
		r := tiers[i]
		w.out = append(w.out, '{')
		w.factor("above", float64(r.Above))
		w.number("input", r.Input)
		w.number("output", r.Output)
		w.number("cache_read", r.CacheRead)
		w.number("cache_write_5m", r.CacheWrite5m)
		w.number("cache_write_1h", r.CacheWrite1h)
		w.out = append(w.out, '}')
	})
}
