package guard

import (
	"fmt"
	"time"

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
}

// Baseline starts the count of a session that the guard meets when it has
// already spent its cap: it is counted from here, and the user is told once.
// used is what was spent before the guard met the session, in USD.
func (s *Session) Baseline(used, limit float64, tool string, now time.Time) {
	if limit > 0 && used >= limit {
		s.BaselineUSD, s.BaselineNote = s.BaselineUSD+used, used
		s.record(WireBaseline, tool, dollars(used)+" spent before the first check", now)
	}
}

// Decide answers one tool call. The first rule that fires decides: spend, loop,
// failures; when none does, the user may get a message and the call goes on.
func (s *Session) Decide(c Check) harness.Answer {
	repeats := s.loopCount(c.Call)
	answer, fired := s.spend(c)
	if !fired {
		answer, fired = s.loop(c, repeats)
	}
	if !fired {
		answer, fired = s.failures(c)
	}
	if !fired {
		answer.Message = s.messages(c)
	}
	if answer.Decision == harness.Deny && c.Call.ToolUseID != "" { // its error result will be our doing, not a failure
		s.DeniedIDs = last(append(s.DeniedIDs, c.Call.ToolUseID), maxDenied)
	}
	s.remember(c.Call, answer, c.Now)
	return answer
}

// Visit notes which agent calls, before its transcripts are read.
func (s *Session) Visit(agent string) { s.Agents.use(agent) }

func (s *Session) loopCount(call harness.Call) int {
	a := s.Agents.use(call.Agent)
	if call.Prompt != "" && a.Prompt != call.Prompt { // the user asked anew: earlier repeats no longer count
		a.Prompt, a.Counts = call.Prompt, nil
	}
	return a.repeats(call.Short, call.Tool, call.Input)
}

// spend blocks every call at the cap, except the few that stop work or hand in
// a final answer.
func (s *Session) spend(c Check) (harness.Answer, bool) {
	limit, used := c.Limits.SpendCapUSD, s.Spent()
	if limit == 0 || used < limit || stopsWork(c.Call.Tool) {
		return harness.Answer{}, false
	}
	detail := fmt.Sprintf("%s of the %s cap", dollars(used), dollars(limit))
	if n := len(s.Trips); n > 0 && s.Trips[n-1].Wire == WireSpend {
		s.Counts[WireSpend]++ // one entry a stop
	} else {
		s.record(WireSpend, c.Call.Tool, detail, c.Now)
	}
	return spendStop(s, c, used), true
}

func stopsWork(tool string) bool {
	switch tool {
	case "TaskStop", "KillShell", "KillBash", "StructuredOutput":
		return true
	}
	return false
}

func (s *Session) loop(c Check, repeats int) (harness.Answer, bool) {
	if c.Limits.LoopRepeats == 0 || repeats < c.Limits.LoopRepeats {
		return harness.Answer{}, false
	}
	s.record(WireLoop, c.Call.Tool, ordinal(repeats)+" identical call", c.Now)
	return loopStop(c, repeats), true
}

// failures asks once; the count then starts over.
func (s *Session) failures(c Check) (harness.Answer, bool) {
	streak := s.Streaks[c.Call.Agent]
	if c.Limits.FailureStreak == 0 || streak < c.Limits.FailureStreak {
		return harness.Answer{}, false
	}
	s.Streaks[c.Call.Agent] = 0
	s.record(WireFailures, c.Call.Tool, fmt.Sprintf("%d failed calls in a row", streak), c.Now)
	return failureStop(c, streak), true
}

// record counts one event and lists it.
func (s *Session) record(wire, tool, detail string, now time.Time) {
	s.Counts[wire]++
	s.Trips = last(append(s.Trips, Trip{
		Wire: wire, At: Stamp(now), Tool: redact.Line(tool, maxToolChars), Detail: detail,
	}), maxTrips)
}
