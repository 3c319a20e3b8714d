package cli

import (
	"fmt"
	"slices"
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

// title is the report in one sentence: the tightest cap that is reached, else
// what was spent.
func (r *budgetReport) title(t budget.Totals, reached guard.Cap, over bool) string {
	switch {
	case r.Session == nil && len(t.Days) == 0:
		return "The guard has counted no spend yet."
	case !over:
		return fmt.Sprintf("All sessions together have spent %s today, %s this week and %s this month.",
			usd(t.Day(r.At)), usd(t.Week(r.At)), usd(t.Month(r.At)))
	case reached.Rule == guard.SpendCapUSD:
		return fmt.Sprintf("The latest session has reached its cap of %s: it has spent %s.", dollars(reached.Limit), dollars(reached.Used))
	case reached.Rule == guard.CapTokens:
		return fmt.Sprintf("The latest session has reached its cap of %s tokens.", status.Thousands(*r.Tokens.Cap))
	}
	return fmt.Sprintf("The %s cap of %s is reached: %s was spent.", r.nameOf(reached.Rule), dollars(reached.Limit), dollars(reached.Used))
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

func (r *budgetReport) remarks() []string {
	lines := []string{"Project: " + redact.Code(r.Project, 300) + "."}
	if r.Lifetime > r.Budgets[4].UsedUSD {
		lines[0] = fmt.Sprintf("Project: %s, %s since the guard counts.", redact.Code(r.Project, 300), dollars(r.Lifetime))
	}
	if r.Session == nil {
		return append(lines, "No session was checked yet. Its counts go to "+redact.Code(r.Folder, 300)+
			"; once the hook is installed (checkrein guard install --write), the first tool call of a session makes them.")
	}
	lines = append(lines, "Session: "+redact.Code(*r.Session, 160)+", the one checked last. What a session pays counts from its next tool call on.")
	for _, l := range r.Budgets[1:] {
		if l.AllowedUSD > 0 {
			lines = append(lines, fmt.Sprintf("The %s cap is %s; you allowed this session %s more.", l.Name, dollars(*l.CapUSD-l.AllowedUSD), dollars(l.AllowedUSD)))
		}
	}
	return lines
}

func (r *budgetReport) nameOf(cap guard.Rule) string {
	i := slices.IndexFunc(r.Budgets, func(l budgetLine) bool { return l.rule == cap })
	return r.Budgets[i].Name
}

func usd(n budget.Nano) string { return dollars(n.USD()) }

func dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }
