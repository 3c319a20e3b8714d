package budget

import (
	"cmp"
	"slices"
	"time"
)

// Names of the caps.
const (
	Session = "session"
	Day     = "day"
	Week    = "week"
	Month   = "month"
	Project = "project"
)

// Caps are the dollars that may be spent; 0 is no cap.
type Caps struct{ Session, Day, Week, Month, Project float64 }

// Use is one cap and what was spent of it.
type Use struct {
	Name   string
	Cap    Nano // 0: off
	Spent  Nano
	Period Period // zero for a session and a project, which have no end
}

// Reached tells whether the cap is used up.
func (u Use) Reached() bool { return u.Cap > 0 && u.Spent >= u.Cap }

// Left is what may still be spent.
func (u Use) Left() Nano { return max(0, u.Cap-u.Spent) }

// Uses is every cap, on or off. session is what the session has spent.
func (c Caps) Uses(t Totals, session Nano, now time.Time) [5]Use {
	return [5]Use{
		{Session, FromUSD(c.Session), session, Period{}},
		{Day, FromUSD(c.Day), t.Day(now), DayOf(now)},
		{Week, FromUSD(c.Week), t.Week(now), WeekOf(now)},
		{Month, FromUSD(c.Month), t.Month(now), MonthOf(now)},
		{Project, FromUSD(c.Project), t.Project, Period{}},
	}
}

// Reached is the caps that are used up, the tightest one first: the one of the
// smallest amount.
func (c Caps) Reached(t Totals, session Nano, now time.Time) []Use {
	if c == (Caps{}) {
		return nil
	}
	uses := c.Uses(t, session, now)
	reached := slices.DeleteFunc(uses[:], func(u Use) bool { return !u.Reached() })
	slices.SortStableFunc(reached, func(a, b Use) int { return cmp.Compare(a.Cap, b.Cap) })
	return reached
}
