package guard

import (
	"slices"

	"checkrein/internal/harness"
)

// Unsure tells, before a call is counted in, whether a result that is not known yet
// decides about it: of the same call, or of those that it takes turns with.
func (s *Session) Unsure(call harness.Call) bool {
	a, l := s.Agents.find(call.Agent), s.Limits
	if l.Rules == (Rules{}) || a == nil || call.Prompt != "" && a.Prompt != call.Prompt {
		return false
	}
	print := fingerprint(call.Tool, call.Input)
	return a.Past.open(print) && (a.repeated(print, l) || a.failed(call, print, l)) ||
		l.Times(LoopCycles) > 0 && a.turning(call, print, l)
}

// open tells whether the same call's latest result is still to come.
func (p past) open(call ID) bool {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].call == call {
			return p[i].pending()
		}
	}
	return false
}

func (c pastCall) pending() bool { return c.result == harness.Pending && !c.traits.has(blocked) }

// repeated: the call would be blocked as a repeat, unless what it gave the last
// time shows that it is a poll.
func (a *agent) repeated(print ID, l Limits) bool {
	n := l.LoopRepeats
	return l.On(JudgePolls) && n > 0 && slices.ContainsFunc(a.Counts, func(c count) bool {
		return c.times >= n-1 && c.fingerprint == print.String()
	})
}

// failed: one failure more, or one result more that is the same, and the call
// would be blocked.
func (a *agent) failed(call harness.Call, print ID, l Limits) bool {
	if n := l.Times(FailingRepeats); n > 0 && a.Past.and(call, print, l).failed() >= n-1 {
		return true
	}
	n, same := l.Times(SameResultRepeats), a.Same.find(print)
	return n > 0 && same != nil && int(same.times) >= n-1
}

// turning: the call would complete a pattern of calls that take turns, unless one
// of those that come shows that a result changed.
func (a *agent) turning(call harness.Call, print ID, l Limits) bool {
	n := l.Times(LoopCycles)
	if !slices.ContainsFunc(a.Past, pastCall.pending) {
		return false
	}
	p := a.Past.and(call, print, l)
	period := p.cycle(n)
	return period > 0 && slices.ContainsFunc(p[len(p)-n*period:len(p)-1], pastCall.pending)
}

// and is the past with a call that is about to run.
func (p past) and(call harness.Call, print ID, l Limits) past {
	return append(slices.Clone(p), pastCall{call: print, traits: traitsOf(call, l.On(JudgePolls))})
}
