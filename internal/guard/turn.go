package guard

import (
	"fmt"

	"checkrein/internal/harness"
)

// step is one call as the loop rules see it, after it was counted in.
type step struct {
	*agent
	call    harness.Call
	print   ID
	traits  traits
	repeats int // times it came with nothing changed in between; 0 for calls that never count
}

// step counts a call in.
func (s *Session) step(c Check) step {
	a := s.Agents.use(c.Call.Agent)
	if c.Call.Prompt != "" && a.Prompt != c.Call.Prompt { // the user asked anew: earlier repeats no longer count
		a.turn(c.Call.Prompt)
	}
	print := fingerprint(c.Call.Tool, c.Call.Input)
	st := step{agent: a, call: c.Call, print: print, traits: traitsOf(c.Call, c.Limits.On(JudgePolls))}
	st.repeats = a.repeats(c.Call, st.traits, print)
	if c.Limits.Rules != (Rules{}) {
		a.Calls++
		a.Same.before(print, st.traits)
		a.Past.add(pastCall{call: print, use: useID(c.Call.ToolUseID), traits: st.traits})
	}
	return st
}

func useID(id string) ID {
	if id == "" {
		return ID{}
	}
	return NewID("use:" + id)
}

// trip is what a loop rule found: which rule, in how many words, and of which
// calls.
type trip struct {
	rule   string
	detail string // "3rd identical call"
	told   string // what the agent is told of it, as a sentence without its end
	calls  []ID
	shown  string // what the user is shown instead
}

// loopTrip is the first loop rule that fires on a call.
func (st step) loopTrip(l Limits) (trip, bool) {
	for _, rule := range [...]func(step, Limits) (trip, bool){step.identical, step.takingTurns, step.failing, step.unchanging} {
		if t, ok := rule(st, l); ok {
			return t, true
		}
	}
	return trip{}, false
}

func (st step) identical(l Limits) (trip, bool) {
	n := l.LoopRepeats
	if n == 0 || st.repeats < n || l.On(JudgePolls) && st.Past.moves(st.print, st.repeats-1) {
		return trip{}, false
	}
	return trip{
		"loop_repeats", ordinal(st.repeats) + " identical call",
		fmt.Sprintf("it is the %s identical call, and nothing was changed since the one before", ordinal(st.repeats)),
		[]ID{st.print},
		fmt.Sprintf("the same call came %d times and nothing was changed in between", st.repeats),
	}, true
}

// takingTurns: A, B, A, B, A, B and the like.
func (st step) takingTurns(l Limits) (trip, bool) {
	n := l.Times(LoopCycles)
	if n == 0 {
		return trip{}, false
	}
	period := st.Past.cycle(n)
	if period == 0 {
		return trip{}, false
	}
	t := trip{
		rule: ruleTexts()[LoopCycles].key, detail: fmt.Sprintf("%d calls that take turns, %d times over", period, n),
		told: fmt.Sprintf("the same %d calls have come in turn %d times, and nothing shows that a result changed", period, n),
	}
	for _, c := range st.Past[len(st.Past)-period:] {
		t.calls = append(t.calls, c.call)
	}
	return t, true
}

// failing: the same call with the same error, whatever was done in between.
func (st step) failing(l Limits) (trip, bool) {
	n := l.Times(FailingRepeats)
	if n == 0 || st.traits.has(deliberate) {
		return trip{}, false
	}
	failed := st.Past.failed()
	if failed < n {
		return trip{}, false
	}
	return trip{
		ruleTexts()[FailingRepeats].key, fmt.Sprintf("failed %d times with the same error", failed),
		fmt.Sprintf("it failed %d times with the same error, also after what was changed in between", failed),
		[]ID{st.print},
		"",
	}, true
}

// unchanging: the same call with the same result and no edit in between, or the
// same for very long where the agent waits in between.
func (st step) unchanging(l Limits) (trip, bool) {
	was := st.Same.find(st.print)
	if was == nil || st.traits.has(deliberate) {
		return trip{}, false
	}
	rule := SameResultRepeats
	if was.waited || st.traits.has(waiting) {
		rule = PollRepeats
	}
	if n := l.Times(rule); n == 0 || int(was.times) < n {
		return trip{}, false
	}
	return trip{
		ruleTexts()[rule].key, fmt.Sprintf("the same result %d times", was.times),
		fmt.Sprintf("it gave the same result %d times, and no file was edited in between", was.times),
		[]ID{st.print},
		"",
	}, true
}

// ends tells whether a loop ends the turn: it is not the agent's first one within
// the calls that are looked back at, or, where nobody watches, in the turn.
func (st step) ends(c Check) bool {
	return c.Limits.On(EndTurn) && st.Tripped > 0 && (c.alone() || st.Calls-st.Tripped <= maxPast)
}

// learn takes the result of a call that the guard saw before it ran, or notes one
// that it was never asked about. Harnesses ask no hook where a tool does not
// exist, where arguments are malformed, and where a tool's own check refuses them
// (an Edit whose text is not in the file).
func (s *Session) learn(key string, e harness.Event) {
	a := s.Agents.find(key)
	if a == nil && e.Result == harness.Failed {
		a = s.Agents.use(key)
	}
	if a == nil || e.ID == "" || e.Result == harness.Pending {
		return
	}
	use := useID(e.ID)
	if c := a.Past.learn(use, e); c != nil {
		a.Same.learn(*c)
		return
	}
	if a.Past.has(use) {
		return
	}
	c := pastCall{use: use, output: e.Output, result: e.Result, traits: unasked}
	if e.Invalid {
		c.traits |= invalid
	}
	a.Past.add(c)
}

// unchanged tells whether a failure says what the last failing tests said. Where
// what they say changes, the work moves on.
func (s *Session) unchanged(key string, e harness.Event) bool {
	a := s.Agents.find(key)
	if a == nil || e.Output == 0 || !a.Past.tested(useID(e.ID)) {
		return true
	}
	was := a.Test
	a.Test = e.Output
	return was == 0 || was == e.Output
}

func (p past) tested(use ID) bool {
	for _, c := range p {
		if c.use == use {
			return c.traits.has(checking)
		}
	}
	return false
}
