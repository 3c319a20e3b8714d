package drive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/board"
	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

// events reads the event log.
func (b *bench) events() []trial.Event {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(b.Results), "events.jsonl"))
	b.must(err)
	return trial.ReadEvents(text)
}

// sameBoards checks that the log and the results make the same records and the
// same scoreboard.
func (b *bench) sameBoards() {
	b.t.Helper()
	logged, results := trial.Logged(b.events()), b.records()
	if diff := cmp.Diff(results, logged); diff != "" {
		b.t.Errorf("records (-results +log):\n%s", diff)
	}
	want, got := board.New(results, drive.Known, "a day"), board.New(logged, drive.Known, "a day")
	if diff := cmp.Diff(want.Markdown(), got.Markdown()); diff != "" {
		b.t.Errorf("board (-results +log):\n%s", diff)
	}
}

// Two harnesses side by side, one of which ends later than the plan has it and
// one that fails on every task; a stop at the cap, and the rest after it.
func TestTheLogIsTheResults(t *testing.T) {
	b := newBench(t, 4, harness.ClaudeCode, harness.Codex)
	b.standIn("claude", `case "$*" in *"number 0"*) sleep 0.5;; esac; echo fixed >src.txt; done_`)
	b.standIn("codex", `echo "401 Unauthorized" >&2; exit 1`)
	b.Jobs, b.Cap = 2, 0.2
	if summary, _ := b.run(); !summary.StoppedAtCap {
		t.Fatalf("it did not stop at its cap: %+v", summary)
	}
	b.sameBoards()
	b.Cap = 100
	b.run()
	b.sameBoards()
	for _, e := range b.events() {
		if e.Kind == trial.Skipped && e.Left > 0 {
			return
		}
	}
	t.Error("no event says how many trials of the skipped harness are left out")
}

// The summary that the command prints is what its events say.
func TestTheSummaryIsAReaderOfTheLog(t *testing.T) {
	b := newBench(t, 3, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	b.Cap = 0.15
	want, _ := b.run()
	var got trial.Summary
	for _, e := range b.events() {
		got.Take(e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-printed +log):\n%s", diff)
	}
}

// A kill between the log and the results leaves a record in the log alone. The
// next command adds it, and does not take the run for a lost one.
func TestAKillBeforeTheResultsAreWritten(t *testing.T) {
	b := newBench(t, 2, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	_, records := b.run()
	want := len(b.events())
	last := records[1]
	line, err := json.Marshal(last)
	b.must(err)
	all, err := os.ReadFile(b.Results)
	b.must(err)
	text := strings.SplitAfter(string(all), "\n")
	b.must(os.WriteFile(b.Results, []byte(text[0]), 0o600))
	inflight := `{"task":"` + last.Task + `","harness":"claude-code","run":"` + last.Run + `","record":` + string(line) + `,"agent_started":true}`
	b.must(os.WriteFile(filepath.Join(filepath.Dir(b.Results), "inflight.json"), []byte(inflight), 0o600))
	_, records = b.run()
	if len(records) != 2 || records[1].Run != last.Run || records[1].Status != trial.Passed {
		t.Errorf("records %+v", records)
	}
	if again := len(b.events()) - want; again != 2 {
		t.Errorf("the second command has %d events, want opened and closed", again)
	}
	b.sameBoards()
	b.clean()
}

// Who takes a record out of the results wants the trial to be run again.
func TestAResultThatAUserTookOutStaysOut(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; done_`)
	_, before := b.run()
	b.must(os.Remove(b.Results))
	if _, after := b.run(); len(after) != 1 || after[0].Run == before[0].Run {
		t.Errorf("records %+v, before %+v", after, before)
	}
}
