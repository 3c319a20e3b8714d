package board_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/board"
	"checkrein/internal/trial"
)

// What was asked in different words is not compared, and the board says what the
// prompts are.
func TestBoardComparesOnlyTheSameWords(t *testing.T) {
	asked := func(task, harness, hash, by, fair string) trial.Record {
		r := run(task, harness, "passed", 1, 60, 1)
		r.Asked, r.PromptBy, r.Fair = hash, by, fair
		return r
	}
	b := board.New([]trial.Record{
		asked("same", "claude-code", "aa", "", "good"), asked("same", "codex", "", "", ""), // the older record asked by the message
		asked("hints", "claude-code", "bb", trial.ByHints, "poor"), asked("hints", "codex", "bb", trial.ByHints, "poor"),
		asked("edited", "claude-code", "cc", trial.ByEdit, "doubtful"), asked("edited", "codex", "dd", "", "doubtful"),
		asked("older", "claude-code", "ee", trial.ByEdit, "good"), asked("older", "codex", "", "", ""),
	}, known, "2026-01-01")
	if b.Compared != 2 {
		t.Errorf("%d tasks are compared, want 2", b.Compared)
	}
	var notes []string
	for _, n := range b.Notes[:len(b.Notes)-1] {
		notes = append(notes, n.String())
	}
	want := []string{
		"2 tasks are left out of the comparison: the prompt was changed between the runs. `drive run` runs the older ones again.",
		"2 tasks have an edited prompt in place of the commit's message.",
		"1 prompt says beside the commit's message, which names the tests use.",
		"2 of 4 tasks are doubtful or poor as a measure: `checkrein drive tasks list` says why.",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}
