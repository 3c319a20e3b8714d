package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/price"
)

// Fold answers a question from all logs there are: also those that the question
// leaves out may own a response that others copied.
func Fold(logs []*Log, t *price.Table, q Question) *Report {
	f := fold{
		q: q, prices: newPrices(t), seen: make(map[guard.ID]struct{}, responses(logs)),
		rows: map[string]*Row{}, bare: map[string]*NoPrice{}, sessions: map[string]struct{}{},
	}
	for _, l := range inOrder(logs) {
		f.log(l)
	}
	return f.report(t)
}

func responses(logs []*Log) (n int) {
	for _, l := range logs {
		n += len(l.Responses) + len(l.Open)
	}
	return n
}

type fold struct {
	q        Question
	prices   *prices
	seen     map[guard.ID]struct{}
	rows     map[string]*Row
	bare     map[string]*NoPrice
	sessions map[string]struct{}
	total    Sum

	from, to int64 // the local day that the response before was of, which the next is mostly of, too
	dayName  string
}

func (f *fold) log(l *Log) {
	wanted := (f.q.Harness == "" || f.q.Harness == l.Harness) && (f.q.Project == "" || within(l.Project, f.q.Project))
	used := false
	for _, part := range [2][]Response{l.Responses, l.Open} {
		for i := range part {
			r := &part[i]
			if f.again(r.ID) || !wanted || !f.q.Since.IsZero() && r.At < f.q.Since.UnixMilli() {
				continue
			}
			f.count(l, r)
			used = true
		}
	}
	if used {
		f.sessions[l.Harness+"\x00"+l.Session] = struct{}{}
	}
}

func (f *fold) again(id guard.ID) bool {
	if id == (guard.ID{}) {
		return false
	}
	before := len(f.seen)
	f.seen[id] = struct{}{}
	return len(f.seen) == before
}

func (f *fold) count(l *Log, r *Response) {
	c := f.prices.cost(r, l.Harness)
	f.total.add(r, c)
	f.row(l, r).add(r, c)
	if !c.listed {
		m := f.bare[r.Model]
		if m == nil {
			m = &NoPrice{Model: r.Model}
			f.bare[r.Model] = m
		}
		m.add(r, c)
	}
}

func (f *fold) row(l *Log, r *Response) *Row {
	key := f.key(l, r)
	name := key
	if f.q.By == Session {
		name = l.Harness + "\x00" + key
	}
	row := f.rows[name]
	if row == nil {
		row = &Row{Key: key}
		if f.q.By == Session {
			row.Harness, row.Project = l.Harness, l.Project
		}
		f.rows[name] = row
	}
	return row
}

func (f *fold) key(l *Log, r *Response) string {
	switch f.q.By {
	case Project:
		return l.Project
	case Model:
		return r.Model
	case Session:
		return l.Session
	case Harness:
		return l.Harness
	case Agent:
		if l.Agent != "" {
			return "subagent"
		}
		return "main"
	}
	return f.dayOf(r.At)
}

// dayOf is the local day of a time. Days are not all 24 hours long, so each one's
// ends are asked for, once.
func (f *fold) dayOf(at int64) string {
	if at == 0 {
		return ""
	}
	if at < f.from || at >= f.to {
		y, m, d := time.UnixMilli(at).In(f.q.Zone).Date()
		f.from = time.Date(y, m, d, 0, 0, 0, 0, f.q.Zone).UnixMilli()
		f.to = time.Date(y, m, d+1, 0, 0, 0, 0, f.q.Zone).UnixMilli()
		f.dayName = time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	return f.dayName
}

func within(dir, project string) bool {
	return dir == project || strings.HasPrefix(dir, strings.TrimRight(project, `/\`)+"/") ||
		strings.HasPrefix(dir, strings.TrimRight(project, `/\`)+`\`)
}

func (f *fold) report(t *price.Table) *Report {
	r := &Report{By: f.q.By, Total: f.total, Sessions: len(f.sessions), Rows: []Row{}, NoPrice: []NoPrice{}, Prices: t.Checked}
	if !f.q.Since.IsZero() {
		r.Since = f.q.Since.In(f.q.Zone).Format(time.DateOnly)
	}
	r.Total.round()
	for _, row := range f.rows {
		row.round()
		r.Rows = append(r.Rows, *row)
	}
	slices.SortFunc(r.Rows, func(a, b Row) int {
		if f.q.By == Day {
			return cmp.Compare(a.Key, b.Key)
		}
		return cmp.Or(cmp.Compare(b.USD, a.USD), cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Harness, b.Harness))
	})
	for _, m := range f.bare {
		m.round()
		r.NoPrice = append(r.NoPrice, *m)
	}
	slices.SortFunc(r.NoPrice, func(a, b NoPrice) int {
		return cmp.Or(cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(a.Model, b.Model))
	})
	r.Headline = r.headline()
	return r
}
