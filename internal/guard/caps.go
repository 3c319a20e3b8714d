package guard

import "fmt"

// Budget is what all sessions together have used, as far as a check needs it.
type Budget struct{ Day, Week, Month, Project Used }

// Used is one total over sessions.
type Used struct {
	USD   float64
	Key   string // names the total: "day 2026-11-30"
	Until string // when it starts over, "" for never: "2026-12-01 00:00"
}

// Cap is one cap that is on, as it holds for one session, and what was used of it.
type Cap struct {
	Rule    Rule    // SpendCapUSD: the session's own
	Limit   float64 // with what was allowed
	Allowed float64 // what the user let this session have beyond the setting
	Used    float64

	key    string // of a total over sessions
	period string // in words, after the amount: " a day"
	until  string
}

// Reached tells whether the cap is used up.
func (c Cap) Reached() bool { return c.Used >= c.Limit }

// Caps are those that are on: the session's own first.
func (s *Session) Caps(l Limits, b Budget) []Cap {
	all := make([]Cap, 0, 6)
	if l.SpendCapUSD > 0 {
		all = append(all, Cap{Rule: SpendCapUSD, Limit: s.CapUSD(l), Allowed: s.AllowedUSD, Used: s.Spent()})
	}
	for _, total := range [...]struct {
		rule   Rule
		used   Used
		period string
	}{
		{DayCapUSD, b.Day, " a day"},
		{WeekCapUSD, b.Week, " a week"},
		{MonthCapUSD, b.Month, " a month"},
		{ProjectCapUSD, b.Project, " for this project"},
	} {
		if l.On(total.rule) {
			allowed := s.granted(total.used.Key)
			all = append(all, Cap{total.rule, l.Rules[total.rule] + allowed, allowed, total.used.USD, total.used.Key, total.period, total.used.Until})
		}
	}
	if l.On(CapTokens) {
		allowed := float64(s.AllowedTokens)
		all = append(all, Cap{Rule: CapTokens, Limit: l.Rules[CapTokens] + allowed, Allowed: allowed, Used: float64(s.UsedTokens())})
	}
	return all
}

// CapUSD is the session's cap with what the user allowed it on top; 0 for none.
func (s *Session) CapUSD(l Limits) float64 {
	if l.SpendCapUSD == 0 {
		return 0
	}
	return l.SpendCapUSD + s.AllowedUSD
}

// UsedTokens are those that count for a cap, since the latest baseline.
func (s *Session) UsedTokens() int64 { return max(0, s.Tokens-s.BaselineTokens) }

// Reached is the tightest cap that is reached: of those in dollars the smallest.
// The hook and whoever reports ask here.
func (s *Session) Reached(l Limits, b Budget) (tightest Cap, ok bool) {
	for _, c := range s.Caps(l, b) {
		if c.Reached() && (!ok || c.Rule != CapTokens && c.Limit < tightest.Limit) {
			tightest, ok = c, true
		}
	}
	return tightest, ok
}

// Over tells whether the session has reached a cap, by what is known without
// reading its transcripts.
func (s *Session) Over(l Limits, b Budget) bool {
	_, over := s.Reached(l, b)
	return over
}

// Near tells whether a share of a cap is used.
func (s *Session) Near(l Limits, b Budget, share float64) bool {
	for _, c := range s.Caps(l, b) {
		if c.Used >= share*c.Limit {
			return true
		}
	}
	return false
}

func (c Cap) amount(n float64) string {
	if c.Rule == CapTokens {
		return fmt.Sprintf("%.0f tokens", n)
	}
	return dollars(n)
}

// Stopped tells whether a stop holds the session: a cap that is reached, a loop,
// or too many subagents.
func (s *Session) Stopped(l Limits, b Budget) bool {
	stopped := s.Over(l, b) || s.SpawnStopped
	for i := range s.Agents {
		stopped = stopped || s.Agents[i].Tripped > 0
	}
	return stopped
}
