package replay

import (
	"fmt"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// maxShown is how many sessions a report shows that is not asked for all.
const maxShown = 20

func dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

func number(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Title is the report in a sentence.
func (r *Report) Title() string {
	if r.Sessions == 0 {
		return "No recorded session was found to play."
	}
	if r.CapUSD == 0 && !r.mixed {
		return fmt.Sprintf("Without a cap on a session the rules would have stopped %d of your last %s.", r.Stopped, number(r.Sessions, "session"))
	}
	return fmt.Sprintf("%s would have stopped %d of your last %s; all rules together, %d.",
		capitals(r.capText()), r.OverCap, number(r.Sessions, "session"), r.Stopped)
}

func capitals(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (r *Report) capText() string {
	if r.mixed {
		return "the caps in force"
	}
	return "a cap of " + dollars(r.CapUSD) + " a session"
}

// Advice is what cap would fit, in a sentence.
func (r *Report) Advice() string {
	if r.Sessions == 0 {
		return ""
	}
	text := fmt.Sprintf("Suggested cap: %s. 95 of 100 of these %s stayed within %s; no less than %s is suggested.",
		dollars(r.SuggestedUSD), number(r.Sessions, "session"), dollars(r.P95USD), dollars(LeastCapUSD))
	if r.Thin {
		text += fmt.Sprintf(" Fewer than %d sessions make that figure thin.", Few)
	}
	return text
}

// Line is all of it in one line, for other reports.
func (r *Report) Line(days int) string {
	switch {
	case r.Sessions == 0 && r.Left > 0:
		return fmt.Sprintf("%s of the last %d days were not read, because that takes longer: checkrein guard replay.", number(r.Left, "session"), days)
	case r.Sessions == 0:
		return ""
	}
	stopped := ""
	if r.CapUSD > 0 || r.mixed {
		stopped = fmt.Sprintf(" %s would have stopped %d;", r.capText(), r.OverCap)
	}
	text := fmt.Sprintf("Of your last %s in %d days%s 95 of 100 stayed within %s",
		number(r.Sessions, "session"), days, stopped, dollars(r.P95USD))
	if r.Left > 0 {
		text += fmt.Sprintf(" (the newest ones; %d older ones were not read)", r.Left)
	}
	return text + ": checkrein guard replay."
}

// Markdown is the report for people. all lists every session and every stop.
func (r *Report) Markdown(all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", r.Title())
	if r.Sessions == 0 {
		return b.String()
	}
	span := "Sessions of all time"
	if r.Since != "" {
		span = "Sessions written to since " + r.Since
	}
	estimated := ""
	if r.EstimatedUSD >= 0.005 {
		estimated = fmt.Sprintf(" (%s of it an estimate: models without a price)", dollars(r.EstimatedUSD))
	}
	fmt.Fprintf(&b, "\n%s: %d, %s in all%s. %s\n", span, r.Sessions, dollars(r.SpentUSD), estimated, r.Advice())
	r.writeRules(&b)
	r.writeStops(&b, all)
	if all {
		r.writeSessions(&b)
	}
	b.WriteString("\nEach session is played to its end, also after a stop; what would have come after it is not known.\n")
	return b.String()
}

func (r *Report) writeRules(b *strings.Builder) {
	if len(r.Rules) == 0 {
		return
	}
	b.WriteString("\n| Rule | Sessions | Stops |\n|---|---|---|\n")
	for _, sum := range r.Rules {
		fmt.Fprintf(b, "| %s | %d | %d |\n", sum.Rule, sum.Sessions, sum.Stops)
	}
}

// writeStops lists where rules would have stepped in, the latest session first.
func (r *Report) writeStops(b *strings.Builder, all bool) {
	shown, left := 0, 0
	for i := len(r.Played) - 1; i >= 0; i-- {
		p := r.Played[i]
		if len(p.Stops) == 0 {
			continue
		}
		if shown++; shown > maxShown && !all {
			left++
			continue
		}
		if shown == 1 {
			b.WriteString("\n| Session | When | Call | Spent then | Spent after | Rule | Evidence |\n|---|---|---|---|---|---|---|\n")
		}
		for _, s := range p.Stops {
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s |\n", p.short(), minute(s.At), s.Call, dollars(s.SpentUSD), dollars(s.AfterUSD),
				s.Rule, s.evidence())
		}
	}
	if left > 0 {
		fmt.Fprintf(b, "\nAnd %s more: --list shows all.\n", number(left, "session"))
	}
}

func (p Played) short() string {
	id := p.Session
	for _, h := range sources(p.Harness) {
		if n := h.ShortID; n > 0 && len(id) > n+4 {
			id = id[:n]
		}
	}
	return redact.Code(id, 60) + " (" + harness.Label(p.Harness) + ")"
}

// evidence is what a stop is due to: "Bash, 3rd identical call, and 12 more".
func (s Stop) evidence() string {
	text := s.Detail
	if s.Tool != "" && s.Wire != guard.WireSpend {
		text = redact.Code(s.Tool, 80) + ", " + text
	}
	if s.Again > 0 {
		text += fmt.Sprintf(", and %d more", s.Again)
	}
	return text + ": " + s.Answer
}

func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") + " UTC" }

func (r *Report) writeSessions(b *strings.Builder) {
	b.WriteString("\n| Session | Began | Calls | Spent | Cap | Stops |\n|---|---|---|---|---|---|\n")
	for i := len(r.Played) - 1; i >= 0; i-- {
		p := r.Played[i]
		limit := "off"
		if p.CapUSD > 0 {
			limit = dollars(p.CapUSD)
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %d |\n", p.short(), minute(p.Began), p.Calls, dollars(p.SpentUSD), limit, len(p.Stops))
	}
}
