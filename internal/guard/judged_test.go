package guard

import (
	"testing"
	"time"

	"checkrein/internal/harness"
)

// TestAJudgedCallGetsTheSameAnswer: a user's entry beside a project's sends each
// call twice.
func TestAJudgedCallGetsTheSameAnswer(t *testing.T) {
	for name, s := range map[string]*Session{
		"passed": spentSession(0), "warned": spentSession(9), "failing": failing(),
	} {
		c := checkOf("Edit")
		first := s.Decide(c)
		again, ok := s.Recall(c.Call, noon.Add(30*time.Second))
		if !ok || again != first {
			t.Errorf("%s: recalled %t %+v, first %+v", name, ok, again, first)
		}
	}
}

// A stop at a cap is worked out again, from the same state, and counts once. Its
// words were kept for each of the latest 128 calls: a state file of 145 KB.
func TestAStopIsToldAgainAndCountsOnce(t *testing.T) {
	s := spentSession(11)
	c := checkOf("Edit")
	first := s.Decide(c)
	if _, ok := s.Recall(c.Call, noon); ok {
		t.Error("the stop's words are kept")
	}
	if again := s.Decide(c); again != first || s.Counts[WireSpend] != 1 {
		t.Errorf("%+v, counted %d times", again, s.Counts[WireSpend])
	}
	if s.Decide(checkOf("Edit")); s.Counts[WireSpend] != 2 {
		t.Errorf("another call: counted %d times", s.Counts[WireSpend])
	}
}

func failing() *Session {
	s := spentSession(0)
	s.Streaks["main"] = 5
	return s
}

func TestRecallIsForTheVerySameCall(t *testing.T) {
	s := spentSession(0)
	c := checkOf("Edit")
	s.Decide(c)
	for name, x := range map[string]struct {
		change func(*harness.Call)
		after  time.Duration
		want   bool
	}{
		"the same":          {func(*harness.Call) {}, 0, true},
		"a minute later":    {func(*harness.Call) {}, time.Minute, true},
		"after its window":  {func(*harness.Call) {}, time.Minute + time.Second, false},
		"before it was":     {func(*harness.Call) {}, -2 * time.Second, false},
		"another id":        {func(k *harness.Call) { k.ToolUseID = "toolu_x" }, 0, false},
		"no id":             {func(k *harness.Call) { k.ToolUseID = "" }, 0, false},
		"another agent":     {func(k *harness.Call) { k.Agent = "sub" }, 0, false},
		"another tool":      {func(k *harness.Call) { k.Tool = "Write" }, 0, false},
		"another input":     {func(k *harness.Call) { k.Input = []byte(`{}`) }, 0, false},
		"no input":          {func(k *harness.Call) { k.Input = nil }, 0, false},
		"another prompt id": {func(k *harness.Call) { k.Prompt = "p9" }, 0, true},
	} {
		call := c.Call
		x.change(&call)
		if _, ok := s.Recall(call, noon.Add(x.after)); ok != x.want {
			t.Errorf("%s: recalled %t", name, ok)
		}
	}
}

// TestACallWithoutAnIDCountsEachTime: there is nothing to know it by.
func TestACallWithoutAnIDCountsEachTime(t *testing.T) {
	s := spentSession(0)
	c := checkOf("Edit", same, func(k *Check) { k.Call.ToolUseID = "" })
	for i, want := range []harness.Decision{harness.Pass, harness.Pass, harness.Deny} {
		if _, ok := s.Recall(c.Call, noon); ok {
			t.Fatalf("call %d was recalled", i+1)
		}
		if got := s.Decide(c); got.Decision != want {
			t.Errorf("call %d: %+v", i+1, got)
		}
	}
	if len(s.DeniedIDs) != 0 || len(s.Judged) != 0 {
		t.Errorf("remembered %v and %v", s.DeniedIDs, s.Judged)
	}
}

func TestAnswersThatNoLongerStandAreDropped(t *testing.T) {
	s := spentSession(0)
	s.Decide(checkOf("Edit"))
	s.Decide(checkOf("Edit", func(c *Check) { c.Now = noon.Add(time.Minute) }))
	if len(s.Judged) != 2 {
		t.Errorf("%d answers kept within the minute", len(s.Judged))
	}
	s.Decide(checkOf("Edit", func(c *Check) { c.Now = noon.Add(time.Hour) }))
	if len(s.Judged) != 1 {
		t.Errorf("%d answers kept an hour later", len(s.Judged))
	}
}
