package board_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/board"
	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

func known(name string) (harness.Headless, bool) {
	switch name {
	case harness.ClaudeCode:
		return harness.Headless{Name: name, Label: "Claude Code", Program: "claude"}, true
	case harness.Codex:
		return harness.Headless{Name: name, Label: "Codex", Program: "codex"}, true
	}
	return harness.Headless{}, false
}

func run(task, harness, status string, cost, seconds float64, lines int) trial.Record {
	return trial.Record{
		Task: task, Harness: harness, Status: status, Subject: "Fix `it` | now", GoldLines: new(7), Version: "1.0",
		Cost: &cost, Charged: cost, CostSource: new("reported"), AgentSeconds: &seconds, LinesChanged: &lines,
	}
}

func TestBoardComparesOnlyWhatAllFinished(t *testing.T) {
	records := []trial.Record{
		run("t1", "claude-code", "failed", 1, 60, 10),
		run("t1", "codex", "passed", 0.5, 120, 4),
		run("t2", "claude-code", "passed", 2, 180, 20),
		run("t2", "codex", "passed", 0.25, 60, 6),
		run("t3", "claude-code", "passed", 4, 60, 1),
		{Task: "t3", Harness: "codex", Status: "interrupted", Charged: 0.1},
		{Task: "t1", Harness: "grok", Label: "Gr|ok", Status: "error", Error: "no `way`", Hint: "pay"},
		run("t1", "claude-code", "passed", 1.5, 60, 10), // run again: this one counts
	}
	b := board.New(records, known, "2026-01-01")
	if want := "On 2 tasks from your git history, Codex passed 2 at $0.38 each and Claude Code passed 2 at $1.75 each; " +
		"`Gr/ok` could not run (`no 'way'`)."; b.Headline != want {
		t.Errorf("headline\n%s\nwant\n%s", b.Headline, want)
	}
	if b.Compared != 2 || b.Spent != 9.35 || b.Runs != 7 {
		t.Errorf("compared %d, spent %v, runs %d, want 2, 9.35, 7", b.Compared, b.Spent, b.Runs)
	}
	want := board.Row{
		Harness: "codex", Variant: "codex", Label: "Codex", Versions: []string{"1.0"}, Runs: 2, Passed: 2, PassRate: new(1.0),
		Minutes: new(1.5), CostPerPass: new(0.375), TotalCost: new(0.75), LinesChanged: new(5.0), Errors: 1,
	}
	got := b.Rows[0]
	if diff := cmp.Diff(encode(t, want), encode(t, got)); diff != "" {
		t.Errorf("Codex (-want +got):\n%s", diff)
	}
	var notes []string
	for _, n := range b.Notes {
		notes = append(notes, n.String())
	}
	text := strings.Join(notes, "\n")
	for _, want := range []string{
		"1 task is left out", "Codex: 1 run was stopped", "`Gr/ok`: 1 run could not run, such as: `no 'way'`. Fix: `pay`.", "2026-01-01",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no note says %q:\n%s", want, text)
		}
	}
	page := b.Markdown()
	for _, want := range []string{
		"| Codex | `1.0` | 2 of 2 | 100% | 1.5 | $0.38 | $0.75 | 5 |", "| `Gr/ok` | unknown | could not run |",
		"| `t3` | `Fix 'it' / now` | 7 | interrupted | passed, 1.0 min, $4.00 | not run |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestBoardOfNothing(t *testing.T) {
	b := board.New(nil, known, "2026-01-01")
	if want := `{"headline":"No runs recorded yet.","tasks_compared":0,"harnesses":[],"tasks":[],"spent_usd":0,"runs":0,"notes":[]}`; encode(t, b) != want {
		t.Errorf("got %s\nwant %s", encode(t, b), want)
	}
	if got := b.Markdown(); got != "**No runs recorded yet.**\n\n" {
		t.Errorf("page %q", got)
	}
}

func TestBoardWithoutAScore(t *testing.T) {
	b := board.New([]trial.Record{{Task: "t", Harness: "codex", Status: "error", Error: "401 Unauthorized", Hint: "x"}}, known, "d")
	if want := "No harness could run: Codex could not run (`401 Unauthorized`)."; b.Headline != want {
		t.Errorf("headline %q, want %q", b.Headline, want)
	}
	if got := b.Notes[0].String(); !strings.HasSuffix(got, "Fix: sign in: run codex once.") {
		t.Errorf("note %q, want the fix made from the error", got)
	}
	split := board.New([]trial.Record{run("a", "codex", "passed", 1, 1, 1), run("b", "claude-code", "passed", 1, 1, 1)}, known, "d")
	if want := "No task has a result from every harness yet."; split.Headline != want || split.Compared != 0 {
		t.Errorf("headline %q, want %q", split.Headline, want)
	}
}

func TestBoardUnmeasuredCosts(t *testing.T) {
	one, two := run("a", "codex", "passed", 1, 1, 1), run("b", "codex", "passed", 1, 1, 1)
	two.Cost, two.CostSource, two.Charged, two.TimedOut = nil, new("unmeasured"), 3, true
	two.TestRuns, two.TestFailures = new(4), new(3)
	b := board.New([]trial.Record{one, two}, known, "d")
	r := b.Rows[0]
	if r.CostPerPass != nil || r.Unmeasured != 1 || r.Timeouts != 1 || !strings.Contains(b.Headline, "passed 2 (cost not measured)") {
		t.Errorf("got %+v, headline %q", r, b.Headline)
	}
	if !strings.Contains(b.Markdown(), "$1.00 + 1 not measured") {
		t.Error("the page does not say what was not measured")
	}
	var kinds []board.NoteKind
	for _, n := range b.Notes {
		kinds = append(kinds, n.Kind)
	}
	if diff := cmp.Diff([]board.NoteKind{board.TimeLimit, board.OwnTests, board.NotMeasured, board.ListPrices}, kinds); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// A record may hold anything: none of it may get out of its inline code.
func TestBoardShowsNothingRaw(t *testing.T) {
	evil := "x`|<b>\n# sk-" + "ant-" + strings.Repeat("a1", 20)
	r := run("t`|", "odd`|", "we`ird", 1, 1, 1)
	r.Label, r.Subject, r.Version, r.Error = evil, evil, evil, evil
	page := board.New([]trial.Record{r}, known, "d").Markdown()
	if strings.Contains(page, "a1a1a1") || strings.Contains(page, "\n# ") || strings.Contains(page, "`|<b>") {
		t.Errorf("raw text on the page:\n%s", page)
	}
}
