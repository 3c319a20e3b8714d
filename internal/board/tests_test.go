package board_test

import (
	"strings"
	"testing"

	"checkrein/internal/board"
	"checkrein/internal/grade"
	"checkrein/internal/trial"
)

// Changes that no longer applied were said to be decided by the whole suite, and
// why the run failed stood nowhere.
func TestAFailureWithoutATestRunIsExplained(t *testing.T) {
	graded, unfit := run("t1", "claude-code", "passed", 1, 60, 10), run("t1", "codex", "failed", 1, 60, 10)
	graded.Grade = &grade.Verdict{Call: grade.Pass}
	unfit.Error = "the changes no longer `apply`"
	b := board.New([]trial.Record{graded, unfit}, known, "2026-01-01")
	text := b.Markdown()
	if !strings.Contains(text, "- `t1`, Codex: `the changes no longer 'apply'`\n") {
		t.Errorf("no reason in\n%s", text)
	}
	if strings.Contains(text, "whole suite") {
		t.Errorf("a suite that did not run, in\n%s", text)
	}
	unfit.TestSeconds = new(1.0)
	if text := board.New([]trial.Record{graded, unfit}, known, "2026-01-01").Markdown(); !strings.Contains(text, "1 of 2 results are graded by single tests") {
		t.Errorf("a suite that ran, not in\n%s", text)
	}
}
