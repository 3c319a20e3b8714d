//go:build e2e

package e2e

import (
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

// TestDriveBudget: Claude Code ends itself at what its run may spend. Where the cap
// left it less than a run may need, that says nothing of it: it runs again once there
// is more. One that used up all that a run may need is scored with what it changed,
// and could not run when that is nothing.
func TestDriveBudget(t *testing.T) {
	t.Parallel()
	d := drivenClaude()
	h := newDriveHome(t, modelserver.Script{Threads: []modelserver.Thread{dear(d.fails(), 2, 25_000)}})
	h.mine()
	run := []string{"run", "--harness", "claude-code", "--model", "claude-code=" + claudeModel, "--jobs", "1", "--json", "--max-usd"}

	s := h.summary(h.drive(append(run, "0.2")...))
	if !s.Run.AtCap || s.Run.NotStarted != 1 {
		t.Errorf("the drive did not stop at the cap: %+v", s)
	}
	want := []trouble{{Harness: d.name, Status: "interrupted", Error: "stopped at the spend cap before it was done", CutShort: "budget", Charged: true}}
	if diff := cmp.Diff(want, h.troubles()); diff != "" {
		t.Errorf("below an estimate: %s", diff)
	}

	h.model.Play(modelserver.Script{Threads: []modelserver.Thread{dear(d.fails(), 2, 175_000), dear(d.solves(), 0, 175_000)}})
	s = h.summary(h.drive(append(run, "50")...))
	whole := trouble{Harness: d.name, Error: "Reached maximum budget ($2.95)", CutShort: "budget", Charged: true}
	for _, status := range []string{"failed", "error"} {
		whole.Status = status
		want = append(want, whole)
	}
	if diff := cmp.Diff(want, h.troubles()); diff != "" {
		t.Errorf("above an estimate: %s", diff)
	}
	sameMoney(t, "the total", s.Run.Spent, h.spent())
}

// dear makes one answer of a thread so long that its output alone is beyond a
// budget. Claude Code reports output when it has ended, so that it is its own
// limit, not ours, that ends the run.
func dear(thread modelserver.Thread, turn int, output int64) modelserver.Thread {
	thread.Turns[turn].Usage = modelserver.Usage{Input: 1000, Output: output}
	return thread
}
