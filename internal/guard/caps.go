package guard

import (
	"fmt"
	"math"
	"slices"
)

// Budget is what all sessions together have used, as far as a check needs it.
type Budget struct{ Day, Week, Month, Project Used }

// Used is one total over sessions.
type Used struct {
	USD   float64
	Key   string // names the total: "day 2026-11-30"
	Until string // when it starts over, "" for never: "2026-12-01 00:00"
}

// spendCap is one cap that is on, and what was used of it.
type spendCap struct {
	rule   Rule // ruleCount: the session's own cap
	limit  float64
	used   float64
	key    string // of a total over sessions
	period string // in words, after the amount: " a day"
	until  string
}

// caps are those that are on: the session's own first.
func (s *Session) caps(l Limits, b Budget) []spendCap {
	all := make([]spendCap, 0, 6)
	if l.SpendCapUSD > 0 {
		all = append(all, spendCap{rule: ruleCount, limit: s.CapUSD(l), used: s.Spent()})
	}
	for _, c := range [...]struct {
		rule   Rule
		used   Used
		period string
	}{
		{DayCapUSD, b.Day, " a day"},
		{WeekCapUSD, b.Week, " a week"},
		{MonthCapUSD, b.Month, " a month"},
		{ProjectCapUSD, b.Project, " for this project"},
	} {
		if l.On(c.rule) {
			all = append(all, spendCap{c.rule, l.Rules[c.rule] + s.granted(c.used.Key), c.used.USD, c.used.Key, c.period, c.used.Until})
		}
	}
	if l.On(CapTokens) {
		all = append(all, spendCap{rule: CapTokens, limit: l.Rules[CapTokens] + float64(s.AllowedTokens), used: float64(s.usedTokens())})
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

func (s *Session) usedTokens() int64 { return max(0, s.Tokens-s.BaselineTokens) }

// Reached is the tightest cap that is reached: of those in dollars the smallest.
func (s *Session) reached(l Limits, b Budget) (tightest spendCap, ok bool) {
	for _, c := range s.caps(l, b) {
		if c.used >= c.limit && (!ok || c.rule != CapTokens && c.limit < tightest.limit) {
			tightest, ok = c, true
		}
	}
	return tightest, ok
}

// Over tells whether the session has reached a cap, by what is known without
// reading its transcripts.
func (s *Session) Over(l Limits, b Budget) bool {
	_, over := s.reached(l, b)
	return over
}

// Near tells whether a share of a cap is used.
func (s *Session) Near(l Limits, b Budget, share float64) bool {
	for _, c := range s.caps(l, b) {
		if c.used >= share*c.limit {
			return true
		}
	}
	return false
}

func (c spendCap) amount(n float64) string {
	if c.rule == CapTokens {
		return fmt.Sprintf("%.0f tokens", n)
	}
	return dollars(n)
}

// grant is what the user allowed one session beyond a cap over all sessions.
type grant struct {
	Key string
	USD float64
}

const maxGrants = 20

func (s *Session) granted(key string) (usd float64) {
	for _, g := range s.Grants {
		if g.Key == key {
			usd += g.USD
		}
	}
	return usd
}

// grant adds to what a total may be passed by, one entry a total.
func (s *Session) grant(key string, usd float64) {
	usd += s.granted(key)
	s.Grants = slices.DeleteFunc(s.Grants, func(g grant) bool { return g.Key == key })
	s.Grants = last(append(s.Grants, grant{key, usd}), maxGrants)
}

// Allow lets a session that a stop holds go on, and says what it did, a line
// each. usd is how much more it may spend; 0 stands for one more cap.
func (s *Session) Allow(l Limits, b Budget, usd float64) (done []string) {
	for _, c := range s.caps(l, b) {
		if c.used < c.limit && (usd == 0 || c.rule != ruleCount) {
			continue
		}
		done = append(done, s.raise(c, usd))
	}
	if s.forgive() {
		done = append(done, "The loop, failure and subagent counts are cleared.")
	}
	s.Judged = nil // the answer that the last call got
	return done
}

// TakeOver takes what was allowed a copy of the session.
func (s *Session) TakeOver(allowed *Session) {
	s.AllowedUSD, s.AllowedTokens, s.Grants = allowed.AllowedUSD, allowed.AllowedTokens, allowed.Grants
	s.forgive()
	s.Judged = nil
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

// raise lets a cap reached be passed by usd, or by its own size.
func (s *Session) raise(c spendCap, usd float64) string {
	extra := usd
	if extra == 0 {
		extra = c.limit - s.extra(c)
	}
	beyond := math.Max(c.used, c.limit) + extra
	switch c.rule {
	case ruleCount:
		s.AllowedUSD += beyond - c.limit
	case CapTokens:
		extra = c.limit - s.extra(c)
		beyond = c.used + extra
		s.AllowedTokens += int64(beyond - c.limit)
	default:
		s.grant(c.key, beyond-c.limit)
		return fmt.Sprintf("This session may go on until all sessions together have spent %s%s.", dollars(beyond), c.period)
	}
	return fmt.Sprintf("The session may use %s now; it has used %s.", c.amount(beyond), c.amount(c.used))
}

// extra is what a cap holds of earlier allowances.
func (s *Session) extra(c spendCap) float64 {
	switch c.rule {
	case ruleCount:
		return s.AllowedUSD
	case CapTokens:
		return float64(s.AllowedTokens)
	}
	return s.granted(c.key)
}

// forgive clears what the loop, failure and subagent rules count, and tells
// whether one of them had stepped in.
func (s *Session) forgive() bool {
	stepped := s.Spawned > 0 && s.SpawnStopped
	for i := range s.Agents {
		a := &s.Agents[i].agent
		stepped = stepped || a.Tripped > 0
		a.turn(a.Prompt)
	}
	s.Streaks, s.Spawned, s.SpawnStopped = map[string]int{}, 0, false
	return stepped
}
