package guard

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"checkrein/internal/harness"
)

func TestResetKeepsTheTotal(t *testing.T) {
	s := spentSession(12)
	c := checkOf("Edit", same)
	s.Decide(c)
	s.Streaks["main"] = 3
	s.BaselineNote = 4
	s.Reset(noon.Add(time.Hour), 0)
	want := New("sess-1", harness.ClaudeCode, noon)
	want.CostUSD, want.BaselineUSD, want.Resets, want.Updated = 12, 12, 1, "2026-11-30T13:00:00Z"
	want.DeniedIDs = []string{c.Call.ToolUseID}
	if diff := cmp.Diff(want, s, cmp.AllowUnexported(count{}, namedAgent{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("after the reset (-want +got):\n%s", diff)
	}
	if _, ok := s.Recall(c.Call, noon); ok {
		t.Error("a call blocked before the reset stays blocked")
	}
	if got := s.Decide(checkOf("Edit")); got.Decision != harness.Pass {
		t.Errorf("after the reset: %+v", got)
	}
}

func TestSpentIsNeverNegative(t *testing.T) {
	s := spentSession(1)
	s.BaselineUSD = 2
	if s.Spent() != 0 {
		t.Errorf("spent %v", s.Spent())
	}
}
