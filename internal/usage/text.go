package usage

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"checkrein/internal/redact"
)

// maxKey bounds a name in the table's first column.
const maxKey = 60

func (r *Report) headline() string {
	if r.Total.Responses == 0 {
		return "No recorded response" + r.when() + "."
	}
	text := fmt.Sprintf("$%s for %s of %s%s", money(r.Total.USD), plural(int64(r.Total.Responses), "response"),
		plural(int64(r.Sessions), "session"), r.when())
	var notes []string
	if r.Total.EstimatedUSD > 0 {
		notes = append(notes, "$"+money(r.Total.EstimatedUSD)+" of it estimated")
	}
	if r.Total.ToldUSD > 0 {
		notes = append(notes, "$"+money(r.Total.ToldUSD)+" by the harness's own count")
	}
	if r.Total.UnpricedTokens > 0 {
		notes = append(notes, grouped(r.Total.UnpricedTokens)+" tokens without a price not in it")
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text + "."
}

func (r *Report) when() string {
	if r.Since == "" {
		return ""
	}
	return " since " + r.Since
}

// Text is the report for people. Dollars are at API list prices.
func (r *Report) Text(colour bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", paint(colour, r.Headline))
	if len(r.Rows) == 0 {
		return b.String()
	}
	b.WriteByte('\n')
	lines := [][]string{{r.title(), "Responses", "Input", "Cache read", "Cache write", "Output", "USD"}}
	for i := range r.Rows {
		lines = append(lines, cells(r.Rows[i].name(r.By), &r.Rows[i].Sum))
	}
	lines = append(lines, cells("Total", &r.Total))
	writeTable(&b, lines, colour)
	r.notes(&b)
	return b.String()
}

func (r *Report) title() string {
	return strings.ToUpper(string(r.By)[:1]) + string(r.By)[1:]
}

func (r *Row) name(by By) string {
	key := redact.Line(r.Key, maxKey)
	switch {
	case key == "" && by == Day:
		return "(no date)"
	case key == "":
		return "(unknown)"
	}
	return key
}

func cells(name string, s *Sum) []string {
	return []string{
		name, grouped(int64(s.Responses)), grouped(s.Input), grouped(s.CacheRead), grouped(s.CacheWrite), grouped(s.Output), s.dollars(),
	}
}

// dollars marks a sum that holds estimates with ~ and one that leaves something
// out with +.
func (s *Sum) dollars() string {
	text := money(s.USD)
	if s.EstimatedUSD > 0 {
		text = "~" + text
	}
	if s.UnpricedTokens > 0 {
		text += "+"
	}
	return text
}

func (r *Report) notes(b *strings.Builder) {
	if r.Total.EstimatedUSD > 0 {
		b.WriteString("\n~ holds an estimate, on the high side.")
	}
	if r.Total.UnpricedTokens > 0 {
		b.WriteString("\n+ leaves out responses of models without a price.")
	}
	if len(r.NoPrice) > 0 {
		b.WriteString("\nModels without a list price here:\n")
		for i := range r.NoPrice {
			b.WriteString(r.NoPrice[i].line())
		}
	} else if r.Total.EstimatedUSD > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "\nDollars are at API list prices as of %s, each response at those of its own day.\n", r.Prices)
}

func (m *NoPrice) line() string {
	name := redact.Line(m.Model, maxKey)
	if name == "" {
		name = "(no model id)"
	}
	how := "no dollars"
	switch {
	case m.ToldUSD > 0:
		how = "$" + money(m.ToldUSD) + " by the harness's own count"
	case m.EstimatedUSD > 0:
		how = "$" + money(m.EstimatedUSD) + " estimated, at the dearest current model of its family"
	}
	return fmt.Sprintf("  %s: %s, %s tokens, %s\n", name, plural(int64(m.Responses), "response"), grouped(m.Tokens()), how)
}

// writeTable aligns the first column left and the others right.
func writeTable(b *strings.Builder, lines [][]string, colour bool) {
	width := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for n, line := range lines {
		var row strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				row.WriteString(cell + pad)
			} else {
				row.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintf(b, "%s\n", paint(colour && (n == 0 || n == len(lines)-1), row.String()))
	}
}

func paint(bold bool, text string) string {
	if !bold {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

func plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(n) + " " + word + "s"
}

// money is dollars and cents with commas between thousands.
func money(usd float64) string {
	text := strconv.FormatFloat(usd, 'f', 2, 64)
	whole, cents, _ := strings.Cut(text, ".")
	n, _ := strconv.ParseInt(whole, 10, 64)
	return grouped(n) + "." + cents
}

func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
