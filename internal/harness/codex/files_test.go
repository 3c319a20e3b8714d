package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// rollout writes a rollout whose first line is a session_meta, with a modified
// time of its own.
func rollout(t *testing.T, path, id, session string, changed time.Time) string {
	t.Helper()
	meta := fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"session_id":%q,"timestamp":"2026-11-30T10:00:00Z"}}`+"\n{}\n", id, session)
	return put(t, path, meta, changed)
}

func put(t *testing.T, path, data string, changed time.Time) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
	return path
}

// find gives what Files finds beside the call's own rollout.
func find(call harness.Call, now time.Time, s *harness.Search) []string {
	var names []string
	for _, f := range Files(call, now, s)[1:] {
		if f.Agent != "path:"+f.Path {
			return []string{"agent " + f.Agent}
		}
		names = append(names, filepath.Base(f.Path))
	}
	return names
}

func TestFiles(t *testing.T) {
	var (
		root    = t.TempDir()
		day     = filepath.Join(root, "sessions", "2026", "11", "30")
		started = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
		soon    = started.Add(time.Hour)
		now     = started.Add(40 * time.Hour) // the second day after
	)
	main := rollout(t, filepath.Join(day, "rollout-main.jsonl"), "s", "s", soon)
	rollout(t, filepath.Join(day, "rollout-child.jsonl"), "c1", "s", soon)
	rollout(t, filepath.Join(day, "rollout-stranger.jsonl"), "x", "x", soon)
	rollout(t, filepath.Join(day, "rollout-copy.jsonl"), "s", "s", soon)
	rollout(t, filepath.Join(day, "rollout-old.jsonl"), "c0", "s", started.Add(-time.Hour))
	rollout(t, filepath.Join(day, "rollout-zipped.jsonl.zst"), "c3", "s", soon)
	rollout(t, filepath.Join(day, "notes-child.jsonl"), "c4", "s", soon)
	rollout(t, filepath.Join(root, "sessions", "2026", "12", "02", "rollout-today.jsonl"), "c5", "s", now)
	rollout(t, filepath.Join(root, "sessions", "2026", "12", "01", "rollout-yesterday.jsonl"), "c6", "s", soon)
	rollout(t, filepath.Join(root, "sessions", "2026", "11", "29", "rollout-before.jsonl"), "c7", "s", soon)
	half := put(t, filepath.Join(day, "rollout-half.jsonl"), `{"type":"session_meta","payload":{"id":"c8",`, soon)
	put(t, filepath.Join(day, "rollout-other.jsonl"), "{}\n", soon)

	call := harness.Call{Transcript: main, Session: "s"}
	s := &harness.Search{}
	want := []string{"rollout-child.jsonl", "rollout-yesterday.jsonl", "rollout-today.jsonl"}
	if diff := cmp.Diff(want, find(call, now, s)); diff != "" {
		t.Errorf("first call: -want +got\n%s", diff)
	}
	if got := time.UnixMicro(int64(s.Started * 1e6)).UTC(); !got.Equal(started) {
		t.Errorf("started %v, want %v", got, started)
	}
	slices.Sort(s.Checked)
	if diff := cmp.Diff([]string{"rollout-child.jsonl", "rollout-copy.jsonl", "rollout-stranger.jsonl", "rollout-today.jsonl", "rollout-yesterday.jsonl"}, s.Checked); diff != "" {
		t.Errorf("checked: -want +got\n%s", diff)
	}

	// A rollout whose first line was still being written is looked into again;
	// one that was checked or is known is not.
	rollout(t, half, "c8", "s", soon)
	rollout(t, filepath.Join(day, "rollout-stranger.jsonl"), "c9", "s", soon)
	known := rollout(t, filepath.Join(day, "rollout-known.jsonl"), "c10", "s", soon)
	s.Known = func(path string) bool { return path == known }
	if diff := cmp.Diff([]string{"rollout-half.jsonl"}, find(call, now, s)); diff != "" {
		t.Errorf("second call: -want +got\n%s", diff)
	}
	if got := find(call, now, s); got != nil {
		t.Errorf("third call: %q", got)
	}
}

func TestFilesOfASubagentThatStopped(t *testing.T) {
	dir := t.TempDir()
	main := rollout(t, filepath.Join(dir, "a", "b", "c", "rollout-main.jsonl"), "s", "s", time.Unix(1e9, 0))
	call := harness.Call{Transcript: main, Session: "s", AgentFile: filepath.Join(dir, "rollout-child.jsonl")}
	if diff := cmp.Diff([]string{"rollout-child.jsonl"}, find(call, time.Unix(1e9, 0), &harness.Search{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestFilesWithoutARollout(t *testing.T) {
	if got := Files(harness.Call{Session: "s"}, time.Now(), &harness.Search{}); got != nil {
		t.Errorf("files %v", got)
	}
}

// TestStartedFallsBack: a rollout that does not say when it started counts as
// old as the session's state.
func TestStartedFallsBack(t *testing.T) {
	for _, data := range []string{"", "{}\n", `{"type":"session_meta","payload":{"timestamp":"soon"}}` + "\n"} {
		path := put(t, filepath.Join(t.TempDir(), "rollout-x.jsonl"), data, time.Unix(1e9, 0))
		s := &harness.Search{Created: 1234.5}
		Files(harness.Call{Transcript: path}, time.Unix(1e9, 0), s)
		if s.Started != 1234.5 {
			t.Errorf("%q: started %v", data, s.Started)
		}
	}
}

func TestCheckedStaysSmall(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	main := rollout(t, filepath.Join(dir, "rollout-main.jsonl"), "s", "s", time.Unix(2e9, 0))
	rollout(t, filepath.Join(dir, "rollout-new.jsonl"), "x", "x", time.Unix(2e9, 0))
	s := &harness.Search{Checked: make([]string, maxChecked)}
	Files(harness.Call{Transcript: main, Session: "s"}, time.Unix(2e9, 0), s)
	if n := len(s.Checked); n != maxChecked || s.Checked[n-1] != "rollout-new.jsonl" {
		t.Errorf("%d names, last %q", n, s.Checked[n-1])
	}
}

func TestRecordedMeta(t *testing.T) {
	got := readMeta("testdata/rollouts/subagent/rollout-2026-11-30T10-44-09-01a22c0e-136f-7102-aed9-476289f66dea.jsonl")
	want := meta{ID: "01a22c0e-136f-7102-aed9-476289f66dea", Session: "01a22c0e-0a5c-79e1-95d4-4ebf9626975e", Started: got.Started, Depth: 1}
	if got != want || got.Started == "" {
		t.Errorf("got %+v, want %+v with a start", got, want)
	}
}
