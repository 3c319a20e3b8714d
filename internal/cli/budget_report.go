package cli

import (
	"fmt"
	"strings"
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
	"checkrein/internal/redact"
	"checkrein/internal/status"
)

// budgetReport is what `guard budget --json` prints. Dollars are USD at API list
// prices.
type budgetReport struct {
	Headline string       `json:"headline"`
	At       time.Time    `json:"at"` // local time, as all below
	Session  *string      `json:"session"`
	Project  string       `json:"project"`
	Lifetime float64      `json:"project_total_usd"` // also what it had spent before it was started over
	Folder   string       `json:"state_folder"`
	Budgets  []budgetLine `json:"budgets"` // session, day, week, month, project
	Tokens   tokenLine    `json:"tokens"`
}

// budgetLine is one cap. Null is what it has not: a cap that is off, a project
// that never starts over, a day that has just begun.
type budgetLine struct {
	Name     string     `json:"name"`
	CapUSD   *float64   `json:"cap_usd"`
	UsedUSD  float64    `json:"used_usd"`
	LeftUSD  *float64   `json:"left_usd"`
	Reached  bool       `json:"reached"`
	Starts   *time.Time `json:"starts"`
	Resets   *time.Time `json:"resets"`
	PacedUSD *float64   `json:"paced_usd"` // at the end of the period, if it goes on like this

	use budget.Use
}

// tokenLine is the cap of the session's tokens.
type tokenLine struct {
	Cap     *int64 `json:"cap"`
	Used    int64  `json:"used"`
	Left    *int64 `json:"left"`
	Reached bool   `json:"reached"`
}

func lineOf(u budget.Use, now time.Time) budgetLine {
	line := budgetLine{Name: u.Name, UsedUSD: u.Spent.USD(), Reached: u.Reached(), use: u}
	if u.Cap > 0 {
		limit, left := u.Cap.USD(), u.Left().USD()
		line.CapUSD, line.LeftUSD = &limit, &left
	}
	if p := u.Period; !p.End.IsZero() {
		line.Starts, line.Resets = &p.Start, &p.End
		if n, ok := p.Pace(u.Spent, now); ok {
			paced := n.USD()
			line.PacedUSD = &paced
		}
	}
	return line
}

func tokensOf(limit int64, s *guard.Session) tokenLine {
	line := tokenLine{Used: max(0, s.Tokens-s.BaselineTokens)}
	if limit > 0 {
		limit += s.AllowedTokens
		left := max(0, limit-line.Used)
		line.Cap, line.Left, line.Reached = &limit, &left, left == 0
	}
	return line
}

// title is the report in one sentence: the tightest cap that is reached, else
// what was spent.
func (r *budgetReport) title(t budget.Totals, reached []budget.Use) string {
	switch {
	case r.Session == nil && len(t.Days) == 0:
		return "The guard has counted no spend yet."
	case len(reached) > 0 && reached[0].Name == budget.Session:
		return fmt.Sprintf("The latest session has reached its cap of %s: it has spent %s.", usd(reached[0].Cap), usd(reached[0].Spent))
	case len(reached) > 0:
		return fmt.Sprintf("The %s cap of %s is reached: %s was spent.", reached[0].Name, usd(reached[0].Cap), usd(reached[0].Spent))
	case r.Tokens.Reached:
		return fmt.Sprintf("The latest session has reached its cap of %s tokens.", status.Thousands(*r.Tokens.Cap))
	}
	return fmt.Sprintf("All sessions together have spent %s today, %s this week and %s this month.",
		usd(t.Day(r.At)), usd(t.Week(r.At)), usd(t.Month(r.At)))
}

// Markdown is the report as a table. note, when there is one, stands below the
// headline.
func (r *budgetReport) Markdown(note string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", r.Headline)
	if note != "" {
		fmt.Fprintf(&b, "%s\n\n", note)
	}
	b.WriteString("| Budget | Cap | Used | Left | Starts over | At this pace |\n|---|---|---|---|---|---|\n")
	for _, l := range r.Budgets {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(l.cells(), " | "))
	}
	fmt.Fprintf(&b, "| %s |\n", strings.Join(r.Tokens.cells(), " | "))
	b.WriteString("\n")
	for _, line := range r.remarks() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

const capOff = "off"

func (l budgetLine) cells() []string {
	cells := []string{strings.ToUpper(l.Name[:1]) + l.Name[1:], capOff, usd(l.use.Spent), "", "", ""}
	if l.CapUSD != nil {
		cells[1], cells[3] = usd(l.use.Cap), usd(l.use.Left())
		cells[2] += fmt.Sprintf(" (%.0f%%)", 100*l.UsedUSD / *l.CapUSD)
	}
	if l.Resets != nil {
		cells[4] = l.Resets.Format("Mon 2006-01-02 15:04")
	}
	if l.PacedUSD != nil {
		cells[5] = fmt.Sprintf("%s by the end of the %s", usd(budget.FromUSD(*l.PacedUSD)), l.Name)
	}
	return cells
}

func (t tokenLine) cells() []string {
	cells := []string{"Session's tokens", capOff, status.Thousands(t.Used), "", "", ""}
	if t.Cap != nil {
		cells[1], cells[3] = status.Thousands(*t.Cap), status.Thousands(*t.Left)
		cells[2] += fmt.Sprintf(" (%.0f%%)", 100*float64(t.Used)/float64(*t.Cap))
	}
	return cells
}

func (r *budgetReport) remarks() []string {
	lines := []string{"Project: " + redact.Code(r.Project, 300) + "."}
	if r.Lifetime > r.Budgets[4].UsedUSD {
		lines[0] = fmt.Sprintf("Project: %s, %s since the guard counts.", redact.Code(r.Project, 300), usd(budget.FromUSD(r.Lifetime)))
	}
	if r.Session == nil {
		return append(lines, "No session was checked yet. Its counts go to "+redact.Code(r.Folder, 300)+
			"; once the hook is installed (checkrein guard install --write), the first tool call of a session makes them.")
	}
	return append(lines, "Session: "+redact.Code(*r.Session, 160)+", the one checked last. What a session pays counts from its next tool call on.")
}

func usd(n budget.Nano) string { return fmt.Sprintf("$%.2f", n.USD()) }
