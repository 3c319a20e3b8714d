package guard

import (
	"fmt"
	"time"

	"checkrein/internal/command"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// Check is one tool call to decide, with all that the decision depends on
// besides the session.
type Check struct {
	Call    harness.Call
	Limits  Limits
	Sources Sources
	Asks    bool      // the harness can put a question to the user; else a question is a block that tells the agent to ask
	Now     time.Time // of the hook call
	Program string    // how the user starts this program in a terminal
	File    string    // the user's settings file, to name where no setting sets a cap
	Plain   bool      // say amounts as the Python guard does, without how right they are
	Budget  Budget    // what all sessions together have used
	Alone   bool      // nobody watches the session
	Guarded command.Guarded
}

// alone tells whether the stricter rules for sessions that nobody watches hold.
func (c Check) alone() bool { return c.Alone && c.Limits.On(Unattended) }

// Baseline starts the count of a session that the guard meets when it has
// already spent its cap: it is counted from here, and the user is told once.
// used is what was spent before the guard met the session, in USD.
func (s *Session) Baseline(used, limit float64, tool string, now time.Time) {
	if limit > 0 && used >= limit {
		s.BaselineUSD, s.BaselineNote = s.BaselineUSD+used, used
		s.record(WireBaseline, tool, dollars(used)+" spent before the first check", now)
	}
}

// BaselineTokensNow starts the count of tokens of a session that has used its cap
// before the guard met it.
func (s *Session) BaselineTokensNow() {
	if s.Limits.On(CapTokens) && float64(s.Tokens) >= s.Limits.Rules[CapTokens] {
		s.BaselineTokens = s.Tokens
	}
}

// WorkFromHere forgets what was spent without an edit: it is not known of a
// session that is met late, nor of one that an older release counted.
func (s *Session) WorkFromHere() { s.WorkUSD = s.TotalUSD() }

// CountedByAnother tells a session that an older release, or the Python guard,
// counted: it has cost something, and no tokens.
func (s *Session) CountedByAnother() bool { return s.Tokens == 0 && s.CostUSD > 0 }

// Decide answers one tool call. The first rule that fires decides: spend, what
// protects the guard, loop, failures, fan-out; when none does, the user may get
// a message and the call goes on.
func (s *Session) Decide(c Check) harness.Answer {
	st := s.step(c)
	answer, fired := s.decide(c, st)
	if !fired {
		s.noteWork(st.traits)
		answer.Message = s.messages(c)
	}
	if answer.Decision == harness.Deny && c.Call.ToolUseID != "" { // its error result will be our doing, not a failure
		s.DeniedIDs = last(append(s.DeniedIDs, c.Call.ToolUseID), maxDenied)
	}
	kept := answer
	if fired && s.stopped(c) {
		kept = harness.Answer{Decision: harness.Deny}
	}
	s.remember(c.Call, kept, c.Now)
	return answer
}

func (s *Session) decide(c Check, st step) (answer harness.Answer, fired bool) {
	if answer, fired = s.spend(c); fired {
		return answer, true
	}
	if answer, fired = s.protect(c, st); fired {
		return answer, true
	}
	if answer, fired = s.loop(c, st); fired {
		return answer, true
	}
	if answer, fired = s.failures(c); fired {
		return answer, true
	}
	return s.fanout(c, st)
}

// Visit notes which agent calls, before its transcripts are read.
func (s *Session) Visit(agent string) { s.Agents.use(agent) }

// loop blocks a call that goes in circles. The first time in a turn that tells
// the agent; the next time it ends the turn.
func (s *Session) loop(c Check, st step) (harness.Answer, bool) {
	t, fired := st.loopTrip(c.Limits)
	if !fired {
		return harness.Answer{}, false
	}
	ends := st.ends(c)
	st.Tripped = st.Calls
	if n := len(st.Past); n > 0 {
		st.Past[n-1].traits |= blocked
	}
	s.record(WireLoop, c.Call.Tool, t.detail, c.Now)
	entry := &s.Trips[len(s.Trips)-1]
	entry.Agent, entry.Calls = c.Call.Agent, t.calls
	if t.rule != "loop_repeats" {
		entry.Rule = t.rule
	}
	return loopStop(c, t, ends), true
}

// failures asks once; the count then starts over.
func (s *Session) failures(c Check) (harness.Answer, bool) {
	streak := s.Streaks[c.Call.Agent]
	if c.Limits.FailureStreak == 0 || streak < c.Limits.FailureStreak {
		return harness.Answer{}, false
	}
	s.Streaks[c.Call.Agent] = 0
	s.record(WireFailures, c.Call.Tool, fmt.Sprintf("%d failed calls in a row", streak), c.Now)
	s.Trips[len(s.Trips)-1].Agent = c.Call.Agent
	return failureStop(c, streak), true
}

// record counts one event and lists it.
func (s *Session) record(wire, tool, detail string, now time.Time) {
	s.Counts[wire]++
	s.Trips = last(append(s.Trips, Trip{
		Wire: wire, At: Stamp(now), Tool: redact.Line(tool, maxToolChars), Detail: detail,
	}), maxTrips)
}
