package board_test

import (
	"strings"
	"testing"

	"checkrein/internal/board"
	"checkrein/internal/trial"
)

func TestBoardListsSigns(t *testing.T) {
	with := run("t1", "claude-code", "passed", 1, 60, 1)
	with.PutBack = []string{"package.json: scripts", "a|b`\n# c"}
	with.Signs = []trial.Sign{
		{Kind: trial.EditedTest, What: "tests/a.py"},
		{Kind: trial.EditedTest, What: "tests/b.py"},
		{Kind: "<odd>", What: "curl -H 'Authorization: Bearer abcdefghijklmnopqrst' x\x1b[2J"},
	}
	for range 30 {
		with.PutBack = append(with.PutBack, "more")
	}
	b := board.New([]trial.Record{with, run("t1", "codex", "passed", 1, 60, 1)}, known, "2026-01-01")
	page := b.Markdown()
	for _, want := range []string{
		"- `t1`, Claude Code: put back `package.json: scripts`, `a/b' # c`, `more`",
		"; edited test `tests/a.py`, `tests/b.py`; `<odd>` `curl -H 'Authorization: Bearer [REDACTED]' x",
		"- 1 run changed files that decide how tests run.", "- 1 run did something that you should look at",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Count(page, "`more`") != 18 || strings.Contains(page, "\x1b") || strings.Contains(page, "Codex: put back") {
		t.Error(page)
	}
}

// A board without them says nothing of them.
func TestBoardWithoutSigns(t *testing.T) {
	b := board.New([]trial.Record{run("t1", "codex", "passed", 1, 60, 1)}, known, "2026-01-01")
	if page := b.Markdown(); strings.Contains(page, "ut back") || strings.Contains(page, "look at") {
		t.Error(page)
	}
}
