package guard

import (
	"slices"
	"time"

	"checkrein/internal/harness"
)

// judged is a call that was answered: two hook entries (a user's beside a
// project's or a plugin's) send the same call twice, and it must count once and
// get one answer.
type judged struct {
	Call   string // hash of the call's id, agent, tool and input
	At     int64  // seconds since 1970
	Kind   harness.Decision
	Reason string
	Text   string
	End    bool
}

// judgedFor is how long an answer stands. The second entry's call comes within
// the hook's own time limit; ids that a gateway hands out again and again
// ("call_0" in every response) must not switch the guard off for longer.
const judgedFor = time.Minute

// Recall returns the answer that a call with this id already got.
func (s *Session) Recall(call harness.Call, now time.Time) (harness.Answer, bool) {
	if call.ToolUseID == "" {
		return harness.Answer{}, false
	}
	j, ok := s.find(call, now)
	if !ok || j.isStop() {
		return harness.Answer{}, false
	}
	return harness.Answer{Decision: j.Kind, Reason: j.Reason, Message: j.Text, EndTurn: j.End}, true
}

// Once is the answer that a call with this id already got, else the one that is
// made now.
func (s *Session) Once(call harness.Call, now time.Time, answer func() harness.Answer) harness.Answer {
	if a, ok := s.Recall(call, now); ok {
		return a
	}
	a := answer()
	s.remember(call, a, now)
	return a
}

// isStop: a stop at a cap is remembered without its words, which are the same
// for thousands of calls; the state gives them again.
func (j judged) isStop() bool { return j.Kind == harness.Deny && j.Reason == "" }

func (s *Session) find(call harness.Call, now time.Time) (judged, bool) {
	hash, oldest := judgedHash(call), now.Add(-judgedFor).Unix()
	for _, j := range s.Judged {
		if j.Call == hash && j.At >= oldest && j.At <= now.Unix() {
			return j, true
		}
	}
	return judged{}, false
}

// stoppedBefore tells whether this call got its stop already.
func (s *Session) stoppedBefore(call harness.Call, now time.Time) bool {
	if call.ToolUseID == "" {
		return false
	}
	_, ok := s.find(call, now)
	return ok
}

func (s *Session) remember(call harness.Call, a harness.Answer, now time.Time) {
	if call.ToolUseID == "" {
		return
	}
	oldest := now.Add(-judgedFor).Unix()
	s.Judged = slices.DeleteFunc(s.Judged, func(j judged) bool { return j.At < oldest }) // the file is read at every call
	s.Judged = last(append(s.Judged, judged{
		Call: judgedHash(call), At: now.Unix(),
		Kind: a.Decision, Reason: a.Reason, Text: a.Message, End: a.EndTurn,
	}), maxJudged)
}

func judgedHash(call harness.Call) string {
	return NewID(call.ToolUseID + "\x00" + call.Agent + "\x00" + call.Tool + "\x00" + string(call.Input)).String()
}
