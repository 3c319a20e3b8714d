package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/replay"
	"checkrein/internal/status"
)

func (w *whyReport) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", w.Headline)
	for _, r := range w.Stops {
		writeReason(&b, r)
	}
	if len(w.Missing) > 0 {
		b.WriteString("\nThese transcripts are gone or can't be read, and what they held is not shown:\n")
		for _, path := range w.Missing {
			fmt.Fprintf(&b, "- %s\n", path)
		}
	}
	return b.String()
}

func writeReason(b *strings.Builder, r replay.Reason) {
	fmt.Fprintf(b, "\n## %s: %s\n\n", status.When(r.At), r.Rule)
	what := r.Detail
	if r.Tool != "" && r.Wire != "spend" {
		what = redact.Code(r.Tool, 80) + ", " + what
	}
	if r.Agent != "" && r.Agent != "main" {
		what += ", by the agent " + redact.Code(r.Agent, 120)
	}
	fmt.Fprintf(b, "%s.", what)
	if r.SpentUSD != nil {
		fmt.Fprintf(b, " The session had spent $%.2f by then.", *r.SpentUSD)
	}
	b.WriteString("\n")
	writeCalls(b, r)
	writeSpend(b, r)
}

func writeCalls(b *strings.Builder, r replay.Reason) {
	if len(r.Calls) == 0 {
		return
	}
	b.WriteString("\n| Time (UTC) | Line | Call | Result |\n|---|---|---|---|\n")
	for _, c := range r.Calls {
		result := c.Result
		if c.Text != "" {
			result += ": " + redact.Code(c.Text, 170)
		}
		fmt.Fprintf(b, "| %s | %s:%d | %s %s | %s |\n", clock(c.At), filepath.Base(c.File), c.Line, redact.Code(c.Tool, 80),
			redact.Code(c.Input, 210), result)
	}
	if r.Earlier > 0 {
		fmt.Fprintf(b, "\nAnd %d earlier ones like these.\n", r.Earlier)
	}
	fmt.Fprintf(b, "\nTranscript: %s\n", r.Calls[0].File)
}

func writeSpend(b *strings.Builder, r replay.Reason) {
	if len(r.Dearest) == 0 {
		return
	}
	b.WriteString("\nThe dearest responses up to then:\n\n| Time (UTC) | Dollars | Model | Agent |\n|---|---|---|---|\n")
	for _, p := range r.Dearest {
		fmt.Fprintf(b, "| %s | $%.2f | %s | %s |\n", clock(p.At), p.USD, redact.Code(p.Model, 60), redact.Code(p.Agent, 120))
	}
	b.WriteString("\nBy agent:\n\n| Agent | Dollars |\n|---|---|\n")
	for _, s := range r.Agents {
		fmt.Fprintf(b, "| %s | $%.2f |\n", redact.Code(s.Agent, 120), s.USD)
	}
}

func clock(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.UTC().Format("2006-01-02 15:04:05")
}
