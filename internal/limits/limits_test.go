package limits

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/guard"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want map[string]string
	}{
		{`{"spend_cap_usd": 20}`, map[string]string{"spend_cap_usd": "20"}},
		{`{"a": 1.5e3, "b": "7", "c": " 8 ", "d": ""}`, map[string]string{"a": "1.5e3", "b": "7", "c": " 8 ", "d": ""}},
		{`{"a": true, "b": false, "c": null, "d": [1], "e": {"x": 1}, "f": 2}`, map[string]string{"a": "true", "b": "false", "f": "2"}},
		{`{"a": 1, "a": 2}`, map[string]string{"a": "2"}},
		{`{"a": "\u0031\ud800"}`, map[string]string{}},
		{`{}`, map[string]string{}},
		{``, nil},
		{`null`, map[string]string{}},
		{`[1]`, nil},
		{`{"a": 1`, nil},
		{`{"a": 1} x`, nil},
		{`# a comment`, nil},
	} {
		if diff := cmp.Diff(c.want, Parse([]byte(c.text)), cmp.Transformer("", func(m map[string]string) map[string]string {
			if len(m) == 0 {
				return nil
			}
			return m
		})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestReadOfWhatIsNoSettingsFile(t *testing.T) {
	dir := t.TempDir()
	large := write(t, filepath.Join(dir, "large"), `{"spend_cap_usd":1,"x":"`+strings.Repeat("x", maxBytes)+`"}`)
	for _, path := range []string{"", dir, filepath.Join(dir, "missing"), large, write(t, filepath.Join(dir, "bad"), "{{")} {
		if got := Read(path); len(got.Values) != 0 || got.Path != path {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestProjectFile(t *testing.T) {
	dir := t.TempDir()
	if got := ProjectFile(dir); got != "" {
		t.Errorf("without one: %s", got)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".claude", Name), 0o755); err != nil { // a folder is none
		t.Fatal(err)
	}
	codex := write(t, filepath.Join(dir, ".codex", Name), "{}")
	if got := ProjectFile(dir); got != codex {
		t.Errorf("in .codex: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, ".claude", Name)); err != nil {
		t.Fatal(err)
	}
	claude := write(t, filepath.Join(dir, ".claude", Name), "{}")
	if got := ProjectFile(dir); got != claude {
		t.Errorf(".claude comes first: %s", got)
	}
	if got := ProjectFile(""); got != "" {
		t.Errorf("no project: %s", got)
	}
}

// TestLoad: the files where users have them, each in its place in the order.
func TestLoad(t *testing.T) {
	state, project := t.TempDir(), t.TempDir()
	user := write(t, filepath.Join(state, Name), `{"spend_cap_usd": "20", "loop_repeats": 4, "failure_streak": 0, "end_turn": false, "loop_cycles": "false"}`)
	local := write(t, filepath.Join(project, ".claude", Name), `{"spend_cap_usd": 50, "loop_repeats": 2, "failure_streak": 6, "warn_at": 0.95}`)
	env := map[string]string{"RUNAWAY_GUARD_WARN_AT": "0.9"}
	limits, sources := Load(func(name string) string { return env[name] }, state, project)
	expected := guard.Defaults()
	expected.SpendCapUSD, expected.WarnAt, expected.LoopRepeats, expected.FailureStreak = 20, 0.9, 2, 6
	expected.Rules[guard.EndTurn], expected.Rules[guard.LoopCycles] = 0, 0
	if diff := cmp.Diff(expected, limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	want := guard.Sources{
		SpendCapUSD:   guard.Source{Kind: guard.FromUser, Where: user},
		WarnAt:        guard.Source{Kind: guard.FromEnvironment, Where: "RUNAWAY_GUARD_WARN_AT"},
		LoopRepeats:   guard.Source{Kind: guard.FromProject, Where: local},
		FailureStreak: guard.Source{Kind: guard.FromProject, Where: local},
	}
	sources.Rules = want.Rules
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	limits, _ = Load(func(string) string { return "" }, "/nowhere", "")
	if limits != guard.Defaults() {
		t.Errorf("without files: %+v", limits)
	}
}

// A file with a comment counted as empty: install kept the comment, said that
// the cap was $20, and the default of $10 held.
func TestACapBesideACommentHolds(t *testing.T) {
	for _, text := range []string{
		`{"spend_cap_usd": 3} // mine`, "{\n  /* mine */\n  \"spend_cap_usd\": 3,\n}\n", "\ufeff{\"spend_cap_usd\": 3}",
	} {
		if got := Parse([]byte(text))["spend_cap_usd"]; got != "3" {
			t.Errorf("%q: cap %q", text, got)
		}
	}
	for _, text := range []string{`{"spend_cap_usd": 3} x`, `[3] // x`, strings.Repeat("[", 4000), strings.Repeat("[", 1<<20), "// x"} {
		if got := Parse([]byte(text)); got != nil {
			t.Errorf("%.20q: %v", text, got)
		}
	}
}

// FuzzParse: no settings file of a project loosens a limit, whatever is in it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"spend_cap_usd":0,"warn_at":0,"loop_repeats":0,"failure_streak":0}`, `{"spend_cap_usd":"1e3"}`, `{"warn_at":"0x1p-3"}`,
		`{"loop_repeats":1e308}`, `{"failure_streak":-0}`, `{"spend_cap_usd":5e-324,"spend_cap_usd":"\ud800"}`, `[`, `{"a":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		project := guard.SettingsFile{Path: "/p", Values: Parse(data)}
		got, _ := guard.Merge(func(string) string { return "" }, guard.SettingsFile{}, project)
		d := guard.Defaults()
		if got.SpendCapUSD <= 0 || got.SpendCapUSD > d.SpendCapUSD || got.WarnAt <= 0 || got.WarnAt > d.WarnAt ||
			got.LoopRepeats < 2 || got.LoopRepeats > d.LoopRepeats || got.FailureStreak < 1 || got.FailureStreak > d.FailureStreak {
			t.Fatalf("%+v from %q", got, data)
		}
	})
}
