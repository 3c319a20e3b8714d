package doctor

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"checkrein/internal/harness/codex"
	"checkrein/internal/install"
	"checkrein/internal/settings"
)

func TestEntries(t *testing.T) {
	hooks := []settings.Hook{{Event: "PreToolUse", Command: "checkrein guard hook"}}
	good := install.Found{Place: install.Place{Harness: "codex", Scope: "user", Path: "/f"}, Hooks: hooks, Whole: true}
	with := func(change func(*install.Found)) install.Found {
		f := good
		change(&f)
		return f
	}
	none := with(func(f *install.Found) { f.Hooks = nil })
	plugin := with(func(f *install.Found) { f.Hooks, f.Plugin = nil, true })
	for _, c := range []struct {
		name   string
		all    []install.Found
		broken bool
		want   string // level and a part of what is seen, for each finding
	}{
		{"healthy", []install.Found{good, none}, false, "ok: once for each event"},
		{"missing", []install.Found{none, none}, false, "fault: no settings file has"},
		{"a file that can't be read", []install.Found{none}, true, ""},
		{"twice", []install.Found{with(func(f *install.Found) { f.Twice = []string{"Stop"} })}, false, "fault: more than once for Stop"},
		{"an event short", []install.Found{with(func(f *install.Found) { f.Missing = []string{"Stop"} })}, false, "fault: no entry of the guard for Stop"},
		{"another form", []install.Found{with(func(f *install.Found) { f.Whole = false })}, false, "fault: another form"},
		{"Python", []install.Found{with(func(f *install.Found) { f.Python = true })}, false, "fault: the Python guard"},
		{"both places", []install.Found{good, good}, false, "ok: once|ok: once|note: more than one place"},
		{"the plugin", []install.Found{plugin}, false, "note: plugin is enabled"},
		{"the plugin and a file", []install.Found{plugin, good}, false, "ok: once|note: more than one place"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entries("codex", c.all, c.broken, "checkrein", func(path string) string { return path })
			var want []string
			if c.want != "" {
				want = strings.Split(c.want, "|")
			}
			if len(got) != len(want) {
				t.Fatalf("got %+v", got)
			}
			for i, f := range got {
				level, seen, _ := strings.Cut(want[i], ": ")
				if string(f.Level) != level || !strings.Contains(f.Seen, seen) || (f.Try == "") != (f.Level == OK || strings.Contains(f.Seen, "plugin is")) {
					t.Errorf("got %+v, want %s", f, want[i])
				}
			}
		})
	}
}

func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		a     answer
		level Level
		seen  string
	}{
		{answer{out: "{}\n", took: 7 * time.Millisecond}, OK, "answered in 7 ms"},
		{answer{program: "/x", missing: errors.New("it is not there")}, Fault, "/x can't be run: it is not there"},
		{answer{late: true, err: errors.New("killed")}, Fault, "within 5s"},
		{answer{out: "{}", err: errors.New("exit status 2")}, Fault, "exit status 2"},
		{answer{}, Fault, "it said nothing"},
		{answer{out: "{}x"}, Fault, "it said: {}x"},
		{answer{error: "a\x1b[31mb"}, Fault, "it said: a"},
	} {
		level, seen := c.a.judge()
		if level != c.level || !strings.Contains(seen, c.seen) || strings.Contains(seen, "\x1b") {
			t.Errorf("%+v: %s %q", c.a, level, seen)
		}
	}
}

func TestOneResponseIsNoMissedCheck(t *testing.T) {
	for n, want := range []bool{false, false, true, true} {
		if got := (beat{unseen: n}).grew(); got != want {
			t.Errorf("%d responses: %v", n, got)
		}
	}
}

func TestUntrusted(t *testing.T) {
	hook := settings.Hook{Event: "SessionEnd", Command: "c"}
	f := install.Found{Place: install.Place{Path: "/h.json"}, Real: "/real.json", Hooks: []settings.Hook{hook}, Whole: true}
	hash, err := codex.TrustHash("SessionEnd", "c", 3)
	if err != nil {
		t.Fatal(err)
	}
	table := func(file, hash string) string {
		return fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = %q\n", codex.TrustKey(file, "SessionEnd", 0, 0), hash)
	}
	other := f
	other.Whole = false
	for _, c := range []struct {
		name, config string
		f            install.Found
		want         int
	}{
		{"none", "", f, 1},
		{"trusted", table("/h.json", hash), f, 0},
		{"trusted where its link leads", table("/real.json", hash), f, 0},
		{"another text trusted", table("/h.json", "sha256:00"), f, 1},
		{"of another form, whose hash can't be told", table("/h.json", "sha256:00"), other, 0},
	} {
		if got := untrusted([]byte(c.config), c.f); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestAnswersAreBounded: also when they come through a reader, as from a process.
func TestAnswersAreBounded(t *testing.T) {
	b := &bounded{}
	n, err := io.Copy(b, io.LimitReader(strings.NewReader(strings.Repeat("x", 3*maxAnswer)), 3*maxAnswer))
	if err != nil || n != 3*maxAnswer || b.kept.Len() != maxAnswer {
		t.Errorf("took %d, kept %d, %v", n, b.kept.Len(), err)
	}
}
