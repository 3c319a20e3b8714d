package guard

import (
	"fmt"
	"math"
	"slices"
)

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
	for _, c := range s.Caps(l, b) {
		if !c.Reached() && (usd == 0 || c.Rule != SpendCapUSD) {
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

// raise lets a cap reached be passed by usd, or by its own size.
func (s *Session) raise(c Cap, usd float64) string {
	extra := usd
	if extra == 0 {
		extra = c.Limit - c.Allowed
	}
	beyond := math.Max(c.Used, c.Limit) + extra
	switch c.Rule {
	case SpendCapUSD:
		s.AllowedUSD += beyond - c.Limit
	case CapTokens:
		extra = c.Limit - c.Allowed
		beyond = c.Used + extra
		s.AllowedTokens += int64(beyond - c.Limit)
	default:
		s.grant(c.key, beyond-c.Limit)
		return fmt.Sprintf("This session may go on until all sessions together have spent %s%s.", dollars(beyond), c.period)
	}
	return fmt.Sprintf("The session may use %s now; it has used %s.", c.amount(beyond), c.amount(c.Used))
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
