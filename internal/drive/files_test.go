package drive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
	"checkrein/internal/trial"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A line that a crash cut short must not swallow the next one.
func TestLinesAfterATornOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	put(t, path, "{\"a\":1}\n{\"a\":")
	l, err := openLines(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.add(map[string]int{"b": 2}, map[string]int{"c": 3}); err != nil {
		t.Fatal(err)
	}
	l.close()
	if want := "{\"a\":1}\n{\"a\":\n{\"b\":2}\n{\"c\":3}\n"; content(t, path) != want {
		t.Errorf("got %q, want %q", content(t, path), want)
	}
}

func TestSortResultsTouchesOnlyWhatWasAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	line := func(task string) string { return `{"task":"` + task + `", "harness":"a"}` + "\n" }
	old := line("3") + "torn\n" + line("1")
	put(t, path, old+line("2")+line("1"))
	plan := trial.All([]string{"1", "2", "3"}, []trial.Variant{trial.Default("a", "")}, 1)
	if err := sortResults(path, int64(len(old)), plan); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old+line("1")+line("2"), content(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A trial's name comes from the tasks file, which anyone may have edited.
func TestLogsStayInTheirFolder(t *testing.T) {
	f, err := NewFolder(filepath.Join(t.TempDir(), "state", "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range []string{"../../x", "/etc/x", "..", "a/b"} {
		path := f.log(trial.ID{Task: task, Variant: "v", Attempt: 1}, ".out")
		if filepath.Dir(path) != f.logs() || strings.Contains(filepath.Base(path), "/") {
			t.Errorf("task %q logs to %s", task, path)
		}
	}
}

// Two drives in one folder keep apart what they would take for each other's.
func TestResultsFilesInOneFolder(t *testing.T) {
	dir := t.TempDir()
	var seen []string
	for _, name := range []string{"results.jsonl", "other.jsonl", "odd[1].jsonl"} {
		f, err := NewFolder(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, f.slot(0), "{}")
		put(t, f.slot(3), "{}")
		if diff := cmp.Diff(sortedPaths(f.slot(0), f.slot(3)), f.slots()); diff != "" {
			t.Errorf("%s: in-flight files (-want +got):\n%s", name, diff)
		}
		for _, path := range []string{f.ledger(), f.events(), f.slot(0), f.log(trial.ID{Task: "t", Variant: "v"}, ".out")} {
			if slices.Contains(seen, path) {
				t.Errorf("%s shares %s", name, path)
			}
			seen = append(seen, path)
		}
	}
}

func sortedPaths(paths ...string) []string {
	slices.Sort(paths)
	return paths
}

func TestFolderIsForItsOwnerOnly(t *testing.T) {
	f, err := NewFolder(filepath.Join(t.TempDir(), "state", "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.logs()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("logs: %v, %v", info, err)
	}
}

// The lock of a process that is gone is taken over; its file need not be.
func TestLockOfADeadHolder(t *testing.T) {
	results := filepath.Join(t.TempDir(), "results.jsonl")
	put(t, results+".lock", "999999999")
	unlock, err := lock(results)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(results); err == nil || !strings.Contains(err.Error(), "another run (process ") {
		t.Errorf("a second lock: %v", err)
	}
	unlock()
	if _, err := os.Stat(results + ".lock"); err == nil {
		t.Error("the lock's file is still there")
	}
}

// The meter takes in lines as they come, in whatever pieces.
func TestMeter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	price := func(u harness.Usage, _ string) (float64, bool) { return float64(u.Output), true }
	m := &meter{path: path, out: claudecode.Headless().Read(harness.Reading{Price: price, PriceSum: price})}
	if _, more := m.read(); more {
		t.Error("something was read where nothing is")
	}
	first := `{"type":"assistant","message":{"id":"a","model":"m","usage":{"output_tokens":5}}}` + "\n"
	second := `{"type":"assistant","message":{"id":"b","model":"m","usage":{"output_tokens":7}}}` + "\n"
	put(t, path, first+second[:20])
	if o, more := m.read(); !more || o.Cost == nil || *o.Cost != 5 {
		t.Errorf("after the first line: %+v, %v", o, more)
	}
	put(t, path, first+second)
	if o, more := m.read(); !more || *o.Cost != 12 || o.Source != harness.Partial {
		t.Errorf("after the second line: %+v, %v", o, more)
	}
}

func TestStartable(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{".claude/settings.json", `{"hooks":{}, "mcpServers":{}}`, []string{"hooks", "MCP servers"}},
		{".claude/settings.json", "{\"model\":\"x\", // why\n}", nil},
		{".claude/settings.json", "not json", []string{"something that could not be read"}},
		{".codex/config.toml", "model = \"x\"\n[mcp_servers.db]\n", []string{"MCP servers"}},
		{".codex/config.toml", "model = \"x\"\n", nil},
		{".codex/hooks.json", `{"hooks":{}}`, []string{"hooks"}},
	} {
		if diff := cmp.Diff(c.want, startable(c.file, c.text)); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.file, c.text, diff)
		}
	}
}
