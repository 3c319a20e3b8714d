package cli

import (
	"fmt"
	"strings"
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
	"checkrein/internal/status"
)

// budgetLine is one cap. Null is what it has not: a cap that is off, a project
// that never starts over, a day that has just begun.
type budgetLine struct {
	Name       string     `json:"name"`
	CapUSD     *float64   `json:"cap_usd"`              // as it holds for the session
	AllowedUSD float64    `json:"allowed_usd,omitzero"` // of the cap: what the user allowed the session on top
	UsedUSD    float64    `json:"used_usd"`
	LeftUSD    *float64   `json:"left_usd"`
	Reached    bool       `json:"reached"`
	Starts     *time.Time `json:"starts"`
	Resets     *time.Time `json:"resets"`
	PacedUSD   *float64   `json:"paced_usd"` // at the end of the period, if it goes on like this

	rule guard.Rule
}

// tokenLine is the cap of the session's tokens.
type tokenLine struct {
	Cap     *int64 `json:"cap"`
	Used    int64  `json:"used"`
	Left    *int64 `json:"left"`
	Reached bool   `json:"reached"`
}

// sum is what was spent of one cap, on or off.
type sum struct {
	name   string
	rule   guard.Rule
	spent  budget.Nano
	period budget.Period // zero for a session and a project, which have no end
}

func sumsOf(s *guard.Session, t budget.Totals, now time.Time) [5]sum {
	return [5]sum{
		{"session", guard.SpendCapUSD, budget.FromUSD(s.Spent()), budget.Period{}},
		{"day", guard.DayCapUSD, t.Day(now), budget.DayOf(now)},
		{"week", guard.WeekCapUSD, t.Week(now), budget.WeekOf(now)},
		{"month", guard.MonthCapUSD, t.Month(now), budget.MonthOf(now)},
		{"project", guard.ProjectCapUSD, t.Project, budget.Period{}},
	}
}

// count fills the lines. caps are those that are on.
func (r *budgetReport) count(s *guard.Session, caps []guard.Cap, t budget.Totals) {
	for _, sum := range sumsOf(s, t, r.At) {
		line := lineOf(sum, r.At)
		for _, c := range caps {
			if c.Rule == sum.rule {
				line.hold(c)
			}
		}
		r.Budgets = append(r.Budgets, line)
	}
	r.Tokens.Used = s.UsedTokens()
	for _, c := range caps {
		if c.Rule == guard.CapTokens {
			r.Tokens.hold(c)
		}
	}
}

func lineOf(s sum, now time.Time) budgetLine {
	line := budgetLine{Name: s.name, UsedUSD: s.spent.USD(), rule: s.rule}
	if p := s.period; !p.End.IsZero() {
		line.Starts, line.Resets = &p.Start, &p.End
		if n, ok := p.Pace(s.spent, now); ok {
			paced := n.USD()
			line.PacedUSD = &paced
		}
	}
	return line
}

// hold sets the cap of a line.
func (l *budgetLine) hold(c guard.Cap) {
	whole := budget.FromUSD(c.Limit) // what a report shows has no more digits
	limit, left := whole.USD(), max(0, whole-budget.FromUSD(l.UsedUSD)).USD()
	l.CapUSD, l.LeftUSD, l.AllowedUSD, l.Reached = &limit, &left, budget.FromUSD(c.Allowed).USD(), c.Reached()
}

func (t *tokenLine) hold(c guard.Cap) {
	limit := int64(c.Limit)
	left := max(0, limit-t.Used)
	t.Cap, t.Left, t.Reached = &limit, &left, c.Reached()
}

const capOff = "off"

func (l budgetLine) cells() []string {
	cells := []string{strings.ToUpper(l.Name[:1]) + l.Name[1:], capOff, dollars(l.UsedUSD), "", "", ""}
	if l.CapUSD != nil {
		cells[1], cells[3] = dollars(*l.CapUSD), dollars(*l.LeftUSD)
		cells[2] += fmt.Sprintf(" (%.0f%%)", 100*l.UsedUSD / *l.CapUSD)
	}
	if l.Resets != nil {
		cells[4] = l.Resets.Format("Mon 2006-01-02 15:04")
	}
	if l.PacedUSD != nil {
		cells[5] = fmt.Sprintf("%s by the end of the %s", dollars(*l.PacedUSD), l.Name)
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
