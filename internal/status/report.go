package status

import (
	"fmt"
	"strconv"
	"strings"

	"checkrein/internal/guard"
	"checkrein/internal/redact"
)

// Markdown is the report of one session. note, when there is one, stands below
// the headline.
func (s Summary) Markdown(note string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", s.Title(redact.Code(s.Short(), 160)))
	if note != "" {
		fmt.Fprintf(&b, "%s\n\n", note)
	}
	b.WriteString("| Trip wire | Limit | Now | Stepped in |\n|---|---|---|---|\n")
	for _, row := range s.rows() {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row[:], " | "))
	}
	s.writeEvents(&b)
	b.WriteString("\n")
	for _, line := range s.remarks() {
		b.WriteString(line + "\n")
	}
	s.writeRules(&b)
	return b.String()
}

// writeRules lists the other rules, each with its limit in force.
func (s Summary) writeRules(b *strings.Builder) {
	b.WriteString("\n| Rule | Limit | |\n|---|---|---|\n")
	for _, rule := range s.Rules {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", rule.Key, rule.Limit, rule.Words)
	}
}

const off = "off"

func (s Summary) rows() [3][4]string {
	l := s.Limits
	spend := [4]string{"Spend", off, dollars(s.SpentUSD), calls(s.Trips[guard.WireSpend])}
	if s.CapUSD > 0 {
		spend[1] = fmt.Sprintf("%s a session, warning at %d%%", dollars(s.CapUSD), percent(l.WarnAt, 1))
		spend[2] += fmt.Sprintf(" (%d%%)", percent(s.SpentUSD, s.CapUSD))
	}
	loop := [4]string{"Loop", off, "", calls(s.Trips[guard.WireLoop])}
	if l.LoopRepeats > 0 {
		loop[1] = fmt.Sprintf("the same call %d times with nothing changed", l.LoopRepeats)
	}
	failures := [4]string{
		"Failures", off,
		fmt.Sprintf("%d in a row", s.FailureStreak), "stepped in " + times(s.Trips[guard.WireFailures]),
	}
	if l.FailureStreak > 0 {
		failures[1] = fmt.Sprintf("%d failed calls in a row", l.FailureStreak)
	}
	return [3][4]string{spend, loop, failures}
}

const maxListed = 5

func (s Summary) writeEvents(b *strings.Builder) {
	if len(s.RecentTrips) == 0 {
		return
	}
	b.WriteString("\nLatest events:\n")
	for _, t := range s.RecentTrips[max(0, len(s.RecentTrips)-maxListed):] {
		tool := "a tool call"
		if t.Tool != "" {
			tool = redact.Code(t.Tool, 160)
		}
		fmt.Fprintf(b, "- %s, %s: %s, %s\n", When(t.At), t.Wire, tool, t.Detail)
	}
}

func (s Summary) remarks() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if n := s.Trips[guard.WireWarning]; n > 0 {
		add("Spend warnings shown: %d.", n)
	}
	if s.AllowedUSD > 0 {
		add("Of the cap you allowed %s on top.", dollars(s.AllowedUSD))
	}
	if s.Resets > 0 {
		add("The counts were started over %s; the session's total so far is %s.", times(s.Resets), dollars(s.TotalUSD))
	}
	if s.EstimatedTokens > 0 {
		add("%s of the total is an estimate: no price is known for %s, so its %s tokens count like those of the dearest "+
			"current model of its family.", dollars(s.EstimatedUSD), s.estimatedModels(), Thousands(s.EstimatedTokens))
	}
	add("Transcripts read: %d. Last check: %s, with the limits of that check.", s.Transcripts, When(s.Updated))
	if s.ErrorsLogged > 0 {
		add("The guard let calls through after an error of its own %s; errors.log in the state folder says why.",
			times(s.ErrorsLogged))
	}
	return lines
}

func (s Summary) estimatedModels() string {
	names := make([]string, len(s.EstimatedModels))
	for i, model := range s.EstimatedModels {
		names[i] = redact.Code(model, 160)
	}
	if len(names) == 0 {
		return "a model"
	}
	return strings.Join(names, ", ")
}

// Thousands writes 1234567 as 1,234,567.
func Thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// List is the report of every session.
func List(all []Summary) string {
	var b strings.Builder
	sessions := fmt.Sprintf("%d sessions", len(all))
	if len(all) == 1 {
		sessions = "1 session"
	}
	fmt.Fprintf(&b, "**The guard knows %s.**\n\n", sessions)
	b.WriteString("| Session | Last check | Spent | Cap | Stepped in |\n|---|---|---|---|---|\n")
	for _, s := range all {
		limit := off
		if s.CapUSD > 0 {
			limit = dollars(s.CapUSD)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d |\n",
			redact.Code(s.Session, 160), When(s.Updated), dollars(s.SpentUSD), limit, s.Stops())
	}
	return b.String()
}
