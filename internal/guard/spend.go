package guard

import (
	"fmt"
	"slices"

	"checkrein/internal/harness"
)

// spend blocks every call at a cap, except the few that stop work or hand in a
// final answer.
func (s *Session) spend(c Check) (harness.Answer, bool) {
	reached, over := s.Reached(c.Limits, c.Budget)
	if !over || stopsWork(c.Call.Tool) {
		return harness.Answer{}, false
	}
	if !s.stoppedBefore(c.Call, c.Now) {
		s.recordStop(c, reached)
	}
	return spendStop(s, c, reached), true
}

// stopped tells whether a cap stops the call.
func (s *Session) stopped(c Check) bool {
	return s.Over(c.Limits, c.Budget) && !stopsWork(c.Call.Tool)
}

// recordStop lists a stop once, however many calls it blocks.
func (s *Session) recordStop(c Check, reached Cap) {
	detail := fmt.Sprintf("%s of the %s cap%s", reached.amount(reached.Used), reached.amount(reached.Limit), reached.period)
	if n := len(s.Trips); n > 0 && s.Trips[n-1].Wire == WireSpend && s.Trips[n-1].Rule == reached.name() {
		s.Counts[WireSpend]++
		return
	}
	s.record(WireSpend, c.Call.Tool, detail, c.Now)
	s.Trips[len(s.Trips)-1].Rule = reached.name()
}

// name is the key of the setting that a stop is due to; "" for the session's
// own cap, which is what the Python guard knows.
func (c Cap) name() string {
	if c.Rule == SpendCapUSD {
		return ""
	}
	return ruleTexts()[c.Rule].key
}

func stopsWork(tool string) bool {
	switch tool {
	case "TaskStop", "KillShell", "KillBash", "StructuredOutput":
		return true
	}
	return false
}

// Refuse answers a prompt, or a session's start: over a cap nothing may be sent.
func (s *Session) Refuse(c Check) harness.Answer {
	if c.Call.Prompt == "" { // no id tells the prompts apart (Claude Code before 2.1.196)
		s.newPrompt("")
	}
	reached, over := s.Reached(c.Limits, c.Budget)
	if !over || !c.Limits.On(StopPrompts) {
		return harness.Answer{}
	}
	s.recordStop(c, reached)
	answer := spendStop(s, c, reached)
	answer.Reason = answer.Message
	return answer
}

// AfterBatch answers the end of a batch of calls: over a cap, and after too many
// calls that could not run, the turn ends before the next request.
func (s *Session) AfterBatch(c Check) harness.Answer {
	if reached, over := s.Reached(c.Limits, c.Budget); over && c.Limits.On(StopBatches) {
		s.recordStop(c, reached)
		return spendStop(s, c, reached)
	}
	return s.invalid(c)
}

// invalid ends the turn after calls that no hook was asked about: those that
// could not run, and a run of failures that nobody could be asked about either.
// Of a run that lies within one batch the agent has not read a word yet.
func (s *Session) invalid(c Check) harness.Answer {
	a := s.Agents.find(c.Call.Agent)
	if a == nil {
		return harness.Answer{}
	}
	goesOn := func(times, limit int) bool { return limit > 0 && times >= limit && times > c.Call.BatchSize }
	times, why := a.Past.failing(invalid), "could not run: there is no such tool, or their arguments are malformed"
	if !goesOn(times, c.Limits.Times(InvalidCalls)) {
		times, why = a.Past.failing(unasked), "failed"
		if !goesOn(times, c.Limits.FailureStreak) {
			return harness.Answer{}
		}
	}
	a.Past = nil
	s.record(WireInvalid, c.Call.Tool, fmt.Sprintf("%d calls in a row %s", times, why), c.Now)
	return invalidStop(times, why)
}

// capWarnings says once for each cap that it is near.
func (s *Session) capWarnings(c Check) (notes []string) {
	for _, near := range s.Caps(c.Limits, c.Budget) {
		if near.Used < c.Limits.WarnAt*near.Limit || near.Used >= near.Limit || s.warned(near) {
			continue
		}
		s.record(WireWarning, c.Call.Tool, fmt.Sprintf("%s of the %s cap%s", near.amount(near.Used), near.amount(near.Limit), near.period), c.Now)
		notes = append(notes, nearCap(s, c, near))
	}
	return notes
}

const maxWarned = 16

// warned tells whether the user was told of a cap that is near, and notes it.
func (s *Session) warned(c Cap) bool {
	if c.Rule == SpendCapUSD {
		if s.WarnedCap != nil && *s.WarnedCap == c.Limit {
			return true
		}
		s.WarnedCap = &c.Limit
		return false
	}
	key := fmt.Sprintf("%s %s %g", c.name(), c.key, c.Limit)
	if slices.Contains(s.Warned, key) {
		return true
	}
	s.Warned = last(append(s.Warned, key), maxWarned)
	return false
}
