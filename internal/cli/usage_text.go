package cli

import (
	"fmt"
	"strings"
	"time"

	"checkrein/internal/history"
	"checkrein/internal/redact"
	"checkrein/internal/usage"
)

// usageText is the report, as a table or as JSON, which says where it looked
// too.
func usageText(r *usage.Report, found *history.Result, o usageOptions, env Env) (string, error) {
	if o.json {
		return indented(struct {
			*usage.Report
			Places   []history.Place `json:"places"`
			Problems int             `json:"files_not_read"`
		}{r, found.Places, len(found.Problems)})
	}
	colour := o.out == "" && onTerminal(env.Stdout) && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
	text := r.Text(colour)
	if len(found.Logs) == 0 {
		text += placesText(found.Places)
	}
	return text, nil
}

// placesText says where was looked when nothing was found.
func placesText(places []history.Place) string {
	var b strings.Builder
	b.WriteString("\nNo session was found. Looked in:\n")
	for _, p := range places {
		fmt.Fprintf(&b, "  %s: %s\n", p.Harness, redact.Line(p.Path, 300))
	}
	return b.String()
}

// maxProblems bounds what is said of files that could not be read.
const maxProblems = 5

func tellProblems(problems []error, env Env) {
	for i, p := range problems {
		if i == maxProblems {
			fmt.Fprintf(env.Stderr, "checkrein: and %d more\n", len(problems)-i)
			return
		}
		fmt.Fprintf(env.Stderr, "checkrein: left out: %s\n", redact.Line(p.Error(), 300))
	}
}

// readProgress shows how far a long read is, on a terminal.
type readProgress struct {
	env   Env
	shown bool
	from  time.Time
	last  time.Time
}

func (p *readProgress) show(done, total int64) {
	now := p.env.Now()
	if !p.shown || now.Sub(p.from) < 500*time.Millisecond || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	fmt.Fprintf(p.env.Stderr, "\r\x1b[KReading sessions: %d of %d MB", done>>20, total>>20)
}

// end takes the line away again.
func (p *readProgress) end() {
	if !p.last.IsZero() {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
	}
}
