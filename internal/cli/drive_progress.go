//go:build unix

package cli

import (
	"fmt"
	"io"
	"strings"

	"checkrein/internal/drive"
	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// progress shows the events of a run as lines.
type progress struct {
	out   io.Writer
	names map[string]string // by run: how its lines start
}

func (p *progress) show(e trial.Event) {
	switch e.Kind {
	case trial.Opened:
		p.names = map[string]string{}
	case trial.Warned:
		p.line("Note: %s", e.Text)
	case trial.Recovered:
		p.line("A run that a killed command left is recorded as interrupted, with %s counted.", dollars(e.USD))
	case trial.Planned:
		p.names[e.Run] = fmt.Sprintf("[%d/%d] %s on %s", e.Number, e.Of, e.Label, redact.Line(shortID(e.ID.Task), 40))
		p.line("%s: %s", p.names[e.Run], redact.Code(e.Subject, 60))
	case trial.Recorded:
		p.line("%s: %s", p.names[e.Run], ended(e))
		delete(p.names, e.Run)
	case trial.Skipped:
		p.line("        Fix: %s. The other %s runs are skipped.", e.Text, e.Label)
	}
}

func (p *progress) line(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

func ended(e trial.Event) string {
	r := e.Record
	money := fmt.Sprintf("%s counted, %s of %s spent", dollars(r.Charged), dollars(e.Spent), dollars(e.Cap))
	switch {
	case r.Status == trial.Error:
		return fmt.Sprintf("could not run (%s), %s", redact.Code(r.Error, 120), money)
	case r.Status == trial.Interrupted:
		return fmt.Sprintf("interrupted (%s), %s", redact.Code(r.Error, 120), money)
	case r.AgentSeconds == nil:
		return r.Status + ", " + money
	}
	return r.Status + " in " + elapsed(*r.AgentSeconds) + ", " + money
}

// tellSummary says on the error output what the board does not show.
func tellSummary(s trial.Summary, o drive.Options, env Env) {
	p := progress{out: env.Stderr}
	if len(s.NotInstalled) > 0 {
		p.line("Not found on this computer, so not run: %s.", strings.Join(s.NotInstalled, ", "))
	}
	for _, a := range o.Adapters {
		if fix := s.Skipped[a.Variant.Name]; fix != "" {
			p.line("%s could not run. Fix: %s. Its other runs were skipped; run the same command again after that.", a.Name, fix)
		}
	}
	if s.StoppedAtCap {
		p.line("Stopped at the %s cap with %s not started. Finished runs are kept: run it again with a higher --max-usd to continue.",
			dollars(s.Cap), count(s.NotStarted, "run"))
	}
	p.line("Results: %s", redact.Code(o.Results, 300))
}

// elapsed is a time as people say it.
func elapsed(seconds float64) string {
	s := int(seconds + 0.5)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}

func dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// shortID is enough of a task's id to find it.
func shortID(id string) string {
	runes := []rune(id)
	return string(runes[:min(len(runes), 7)])
}
