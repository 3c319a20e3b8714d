package hook

import (
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
	"checkrein/internal/state"
)

// pay brings the totals over all sessions up to what this one has paid.
func (c *check) pay() error {
	s := c.s
	if s.Limits.Rules == (guard.Rules{}) || !c.paid && !s.Unpaid || len(s.Days) == 0 {
		return nil
	}
	c.book()
	totals, err := c.store.Pay(s.ID, s.Project, s.Days, c.now)
	s.Unpaid = err != nil
	if err == nil {
		c.totals = &totals
	}
	return err
}

// book settles for good which project the session's spend is booked on.
func (c *check) book() {
	if c.s.Project == "" {
		c.s.Project = state.ProjectRoot(c.project())
	}
}

// budget is what all sessions together have used, where a cap asks for it.
func (c *check) budget() guard.Budget {
	l := c.s.Limits
	if !l.On(guard.DayCapUSD) && !l.On(guard.WeekCapUSD) && !l.On(guard.MonthCapUSD) && !l.On(guard.ProjectCapUSD) {
		return guard.Budget{}
	}
	if c.totals == nil {
		if l.On(guard.ProjectCapUSD) { // a session that has paid nothing yet stops at it, too
			c.book()
		}
		totals, err := c.store.Totals(c.s.Project, c.now)
		if err != nil {
			c.store.LogError("ledger", err, c.now)
		}
		c.totals = &totals
	}
	return BudgetOf(*c.totals, c.s.Project, c.now)
}

// BudgetOf is the totals as the rules take them.
func BudgetOf(t budget.Totals, project string, now time.Time) guard.Budget {
	used := func(kind string, n budget.Nano, p budget.Period) guard.Used {
		return guard.Used{
			USD: n.USD(), Key: kind + " " + budget.Key(p.Start),
			Until: p.End.Format("2006-01-02 15:04"),
		}
	}
	return guard.Budget{
		Day: used("day", t.Day(now), budget.DayOf(now)), Week: used("week", t.Week(now), budget.WeekOf(now)),
		Month:   used("month", t.Month(now), budget.MonthOf(now)),
		Project: guard.Used{USD: t.Project.USD(), Key: "project " + project},
	}
}
