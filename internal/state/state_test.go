package state

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) Store {
	t.Helper()
	s := Store{Dir: filepath.Join(t.TempDir(), "state")}
	if err := s.Make(); err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s Store, name, text string) string {
	t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.path(name)
}

func TestOpenNamesTheFolder(t *testing.T) {
	for _, c := range []struct{ xdg, home, want string }{
		{"", "/home/dev", "/home/dev/.local/state/runaway-guard"},
		{"/var/state", "/home/dev", "/var/state/runaway-guard"},
		{"relative/state", "/home/dev", "/home/dev/.local/state/runaway-guard"},
	} {
		got := Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": c.xdg, "HOME": c.home}[name] })
		if got.Dir != c.want {
			t.Errorf("XDG_STATE_HOME=%q HOME=%q: %s, want %s", c.xdg, c.home, got.Dir, c.want)
		}
	}
}

func TestHomeIsAbsoluteWithoutHOME(t *testing.T) {
	if home := Home(func(string) string { return "" }); !filepath.IsAbs(home) {
		t.Errorf("home %q", home)
	}
}

// TestStemsOfPlainIDs: the names the Python guard gave.
func TestStemsOfPlainIDs(t *testing.T) {
	for _, id := range []string{
		"23dbff23-0698-4ed8-b10b-da140d276d39", "a", "9", "A.b_c-d", "errors.log", "installs", strings.Repeat("x", 128),
	} {
		if got := Stem(id); got != id {
			t.Errorf("Stem(%q) = %q", id, got)
		}
	}
}

// TestStemsOfOtherIDs are hashes: none names a file outside the folder or one
// that means something else. The first are what the Python guard's session_stem gives.
func TestStemsOfOtherIDs(t *testing.T) {
	for id, want := range map[string]string{
		"../../x":       "s-9cdf6a50100a862e14286c7a334296da",
		"runaway-guard": "s-818ebbf0e5b16a1a75b8304d6e2c5c8d",
		"é":             "s-4a99557e4033c3539de2eb65472017ca",
	} {
		if got := Stem(id); got != want {
			t.Errorf("Stem(%q) = %q, want %q", id, got, want)
		}
	}
	for _, id := range []string{
		"", ".", "..", ".hidden", "-rf", "_x", "a/b", `a\b`, "a b", "a\x00b", "a\n", "a:b", "~", "\xff", "counted-ids.bin",
		strings.Repeat("x", 129), "/etc/passwd", "C:\\x", "x/../../y",
	} {
		got := Stem(id)
		if !strings.HasPrefix(got, "s-") || len(got) != 34 || got != filepath.Base(got) {
			t.Errorf("Stem(%q) = %q", id, got)
		}
	}
	if Stem("a/b") == Stem("a/c") {
		t.Error("two ids share a file")
	}
}

func TestSaveThenLoad(t *testing.T) {
	s := newStore(t)
	want := guard.New("sess-1", harness.ClaudeCode, noon)
	want.CostUSD, want.Streaks["main"] = 1.25, 3
	want.Files["/t.jsonl"] = &guard.File{Offset: 10, Size: 20, Agent: "main", Seen: true}
	for range 3 { // the second and the third replace a file
		if err := s.Save(want); err != nil {
			t.Fatal(err)
		}
		got, existed, err := s.Load("sess-1")
		if err != nil || !existed || got == nil {
			t.Fatalf("%v, existed %t, error %v", got, existed, err)
		}
		if diff := cmp.Diff(anyJSON(t, []byte(asJSON(t, want))), anyJSON(t, []byte(asJSON(t, got)))); diff != "" {
			t.Fatalf("loaded (-want +got):\n%s", diff)
		}
		want.CostUSD++
		want.Trips = append(want.Trips, guard.Trip{Wire: "loop"})
	}
	info, err := os.Stat(s.SessionFile("sess-1"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v, error %v", info.Mode(), err)
	}
}

// TestASmallerStateLeavesNothingOfALargerOne: the file written over was longer.
func TestASmallerStateLeavesNothingOfALargerOne(t *testing.T) {
	s := newStore(t)
	for size := 5000; size >= 0; size -= 1000 {
		session := guard.New("sess-1", harness.ClaudeCode, noon)
		session.Counted = strings.Repeat("0123456789abcdef", size/16)
		if err := s.Save(session); err != nil {
			t.Fatal(err)
		}
		if got, _, err := s.Load("sess-1"); err != nil || got == nil || got.Counted != session.Counted {
			t.Fatalf("at %d: %v, error %v", size, got, err)
		}
	}
}

func asJSON(t *testing.T, s *guard.Session) string {
	t.Helper()
	data, err := encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLoadOfWhatIsNoState(t *testing.T) {
	s := newStore(t)
	for name, c := range map[string]struct {
		content string
		existed bool
		err     error
	}{
		"empty":       {"", true, nil},
		"garbage":     {"\x00{{", true, nil},
		"truncated":   {`{"version":2,"session_id":"x"`, true, nil},
		"a list":      {`[]`, true, nil},
		"older":       {`{"version":1}`, true, nil},
		"no version":  {`{}`, true, nil},
		"other types": {`{"version":2,"files":3}`, true, nil},
		"newer":       {`{"version":3}`, true, ErrNewer},
		"much newer":  {`{"version":400,"files":[],"agents":"other"}`, true, ErrNewer},
	} {
		write(t, s, "x.json", c.content)
		got, existed, err := s.Load("x")
		if got != nil || existed != c.existed || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, existed %t, error %v", name, got, existed, err)
		}
	}
	if got, existed, err := s.Load("never seen"); got != nil || existed || err != nil {
		t.Errorf("never seen: %v, existed %t, error %v", got, existed, err)
	}
}

// TestLoadSavesUnderTheNameThatWasAsked: a file that says it is another
// session's must not make a call write over that one.
func TestLoadSavesUnderTheNameThatWasAsked(t *testing.T) {
	s := newStore(t)
	write(t, s, "mine.json", `{"version":2,"session_id":"theirs"}`)
	write(t, s, "theirs.json", `{"version":2,"session_id":"theirs","cost_usd":7}`)
	got, _, err := s.Load("mine")
	if err != nil || got.ID != "mine" {
		t.Fatalf("%+v, error %v", got, err)
	}
	if err := s.Save(got); err != nil {
		t.Fatal(err)
	}
	if theirs, _, _ := s.Load("theirs"); theirs.CostUSD != 7 {
		t.Errorf("the other session now has $%v", theirs.CostUSD)
	}
}

func TestUnknownKeysAreKept(t *testing.T) {
	s := newStore(t)
	write(t, s, "x.json", `{"version":2,"session_id":"x","later":{"a":[1,2]},"cost_usd":1,"also":"é"}`)
	got, _, err := s.Load("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Save(got); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(s.SessionFile("x"))
	for _, part := range []string{`"later":{"a":[1,2]}`, `"also":"é"`, `"cost_usd":1,`} {
		if !bytes.Contains(data, []byte(part)) {
			t.Errorf("%s is not in %s", part, data)
		}
	}
}

// TestPythonStateGoesOn loads what the Python guard wrote; testdata/README.md
// tells how. Everything it counts on must still be there when it is saved.
func TestPythonStateGoesOn(t *testing.T) {
	files, err := filepath.Glob("testdata/python/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d recorded states, error %v", len(files), err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			recorded, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			session, err := Parse(recorded)
			if err != nil {
				t.Fatal(err)
			}
			if session.CostUSD == 0 || len(session.Files) == 0 || len(session.Agents) == 0 || len(session.Counted) == 0 {
				t.Errorf("counts are missing: %+v", session)
			}
			if diff := cmp.Diff(anyJSON(t, recorded), anyJSON(t, []byte(asJSON(t, session)))); diff != "" {
				t.Errorf("saved again it differs (-python +ours):\n%s", diff)
			}
		})
	}
}

func TestLockIsHeldByOne(t *testing.T) {
	s := newStore(t)
	first, err := s.LockSession("x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(s.path("x.lock"), 20*time.Millisecond); !errors.Is(err, ErrBusy) {
		t.Errorf("a second lock: error %v", err)
	}
	other, err := s.LockSession("y")
	if err != nil {
		t.Errorf("another session's lock: %v", err)
	}
	other.Release()
	first.Release()
	again, err := s.LockSession("x")
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again.Release()
}

func TestSharedListTellsWhoCounted(t *testing.T) {
	s := newStore(t)
	if _, ok := s.ReadShared().Owner(guard.NewID("a")); ok {
		t.Error("an empty list knows a response")
	}
	share(t, s, "one", "a", "b")
	share(t, s, "two", "c")
	share(t, s, "three")
	list := s.ReadShared()
	for response, session := range map[string]string{"a": "one", "b": "one", "c": "two"} {
		if owner, ok := list.Owner(guard.NewID(response)); !ok || owner != guard.NewID(session) {
			t.Errorf("%s: known %t, owner %v", response, ok, owner)
		}
	}
	share(t, s, "four", "a") // counted again by a later session: the last one holds, as in the Python guard
	if owner, _ := s.ReadShared().Owner(guard.NewID("a")); owner != guard.NewID("four") {
		t.Errorf("owner %v", owner)
	}
}

func share(t *testing.T, s Store, session string, responses ...string) {
	t.Helper()
	ids := make([]guard.ID, len(responses))
	for i, r := range responses {
		ids[i] = guard.NewID(r)
	}
	if err := s.Share(session, ids); err != nil {
		t.Fatal(err)
	}
}

// TestSharedListAfterACrash: half an entry at the end is neither read nor in the
// way of the next one.
func TestSharedListAfterACrash(t *testing.T) {
	for torn := 1; torn < entrySize; torn++ {
		s := newStore(t)
		share(t, s, "one", "a", "b")
		path := s.path(sharedList)
		data, _ := os.ReadFile(path)
		write(t, s, sharedList, string(data[:len(data)-torn]))
		list := s.ReadShared()
		if _, ok := list.Owner(guard.NewID("a")); !ok {
			t.Errorf("cut by %d: the whole entry is lost", torn)
		}
		if _, ok := list.Owner(guard.NewID("b")); ok {
			t.Errorf("cut by %d: the torn entry is read", torn)
		}
		share(t, s, "two", "c")
		if owner, ok := s.ReadShared().Owner(guard.NewID("c")); !ok || owner != guard.NewID("two") {
			t.Errorf("cut by %d: what came after is lost", torn)
		}
		if info, _ := os.Stat(path); info.Size()%int64(entrySize) != 0 {
			t.Errorf("cut by %d: %d bytes", torn, info.Size())
		}
	}
}

func TestSharedListIsBounded(t *testing.T) {
	s := newStore(t)
	ids := make([]guard.ID, maxShared)
	for round := range 3 {
		for i := range ids {
			ids[i] = guard.NewID(fmt.Sprint(round, "-", i))
		}
		if err := s.Share("x", ids); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(s.path(sharedList))
	if err != nil || info.Size() != maxShared*int64(entrySize) {
		t.Errorf("%d bytes, error %v", info.Size(), err)
	}
	list := s.ReadShared()
	if _, ok := list.Owner(ids[0]); !ok {
		t.Error("the latest are gone")
	}
	if _, ok := list.Owner(guard.NewID("1-0")); ok {
		t.Error("an old one was kept")
	}
}

func TestPrune(t *testing.T) {
	s := newStore(t)
	now, old := noon, noon.Add(-31*24*time.Hour)
	files := map[string]struct {
		at   time.Time
		kept bool
	}{
		"old.json": {old, false}, "old.lock": {old, false}, "old.json.123.tmp": {old, false}, "old.json.tmp": {old, false},
		"fresh.json": {now, true}, "fresh.lock": {old, true}, // a lock's time does not change in use
		"alone.lock": {old, false}, "young.lock": {now, true}, "young.json.tmp": {now, true},
		"keep.json": {old, true}, "keep.lock": {old, true}, "keep.json.tmp": {old, true},
		"runaway-guard.json": {old, true}, "errors.log": {old, true}, "counted-ids.bin": {old, true},
		"counted-ids.bin.lock": {old, true}, "counted-ids.bin.tmp": {old, true}, "README": {old, true},
		"almost.json": {now.Add(-30*24*time.Hour + time.Minute), true},
	}
	for name, f := range files {
		if err := os.Chtimes(write(t, s, name, "x"), f.at, f.at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(s.path("dir.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(s.path("dir.json"), old, old); err != nil {
		t.Fatal(err)
	}
	s.Prune("keep", now)
	files["dir.json"] = struct {
		at   time.Time
		kept bool
	}{old, true}
	for name, f := range files {
		if _, err := os.Stat(s.path(name)); (err == nil) != f.kept {
			t.Errorf("%s: kept %t", name, err == nil)
		}
	}
	Store{Dir: filepath.Join(s.Dir, "none")}.Prune("x", now) // must not panic
}

func TestErrorLogIsOneMaskedLineEach(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "a", "b")}
	s.LogError("hook", errors.New("first\nsecond \x1b[31m"), noon)
	s.LogError("hook.go:12", "key sk-ant-REDACTED"+strings.Repeat("A", 80), noon)
	s.LogError("hook", strings.Repeat("long ", 1000), noon)
	data, err := os.ReadFile(s.path(errorLog))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 3 || s.ErrorsLogged() != 3 {
		t.Fatalf("%d lines, %d counted: %q", len(lines), s.ErrorsLogged(), data)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "2026-11-30T12:00:00Z hook") || len(line) > 320 || strings.ContainsRune(line, '\x1b') {
			t.Errorf("line %q", line)
		}
	}
	if strings.Contains(string(data), "AAAAAAAA") {
		t.Errorf("a key is in the log: %q", lines[1])
	}
	if info, _ := os.Stat(s.path(errorLog)); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestErrorLogIsBounded(t *testing.T) {
	s := newStore(t)
	write(t, s, errorLog, strings.Repeat("x", maxErrorLog))
	s.LogError("hook", "fits", noon)
	if info, _ := os.Stat(s.path(errorLog)); info.Size() <= maxErrorLog {
		t.Errorf("started over too early: %d bytes", info.Size())
	}
	s.LogError("hook", "starts over", noon)
	data, _ := os.ReadFile(s.path(errorLog))
	if len(data) > 200 || !bytes.Contains(data, []byte("starts over")) {
		t.Errorf("%d bytes: %.200q", len(data), data)
	}
}

func TestErrorLogNeverFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Store{Dir: filepath.Join(file, "below")}
	s.LogError("hook", "nowhere to go", noon)
	if s.ErrorsLogged() != 0 {
		t.Error("an error was logged")
	}
	s = newStore(t)
	if err := os.Mkdir(s.path(errorLog), 0o700); err != nil {
		t.Fatal(err)
	}
	s.LogError("hook", "a folder is in the way", noon)
}

func TestSessionsTheLatestFirst(t *testing.T) {
	s := newStore(t)
	for i, id := range []string{"b", "c", "a"} {
		if err := s.Save(guard.New(id, harness.Codex, noon.Add(time.Duration(i)*time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, "broken.json", "{")
	write(t, s, "newer.json", `{"version":3}`)
	write(t, s, "runaway-guard.json", `{"version":2}`)
	write(t, s, "x.json.tmp", `{"version":2}`)
	var got []string
	for _, f := range s.Sessions() {
		got = append(got, f.Session.ID)
	}
	if diff := cmp.Diff([]string{"a", "c", "b"}, got); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	if none := (Store{Dir: "/nowhere"}).Sessions(); len(none) != 0 {
		t.Errorf("sessions of no folder: %v", none)
	}
}

// FuzzParse: whatever a state file holds, it can be worked on and saved, and what
// is saved reads back the same.
func FuzzParse(f *testing.F) {
	recorded, _ := filepath.Glob("testdata/python/*.json")
	for _, path := range recorded {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"version":2,"agents":{"a":{"counts":[["x",1],["x"],[]]}},"files":{"a":null}}`))
	f.Add([]byte(`{"version":2,"judged":[{"call":"x","at":1}],"counted":"0g","warned_cap":1e308,"later":[]}`))
	f.Add([]byte(`{"version":2,"session_id":"\ud800","agents":{"":{},"":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		session, err := Parse(data)
		if err != nil {
			return
		}
		session.Reset(noon, 0)
		session.Decide(guard.Check{
			Call: harness.Call{Agent: "main", Tool: "Edit", ToolUseID: "t"}, Limits: guard.Defaults(), Now: noon,
		})
		session.ID = "x"
		first := asJSON(t, session)
		again, err := Parse([]byte(first))
		if err != nil {
			t.Fatalf("what was saved does not load: %v\n%s", err, first)
		}
		if diff := cmp.Diff(anyJSON(t, []byte(first)), anyJSON(t, []byte(asJSON(t, again)))); diff != "" {
			t.Fatalf("saved again it differs:\n%s", diff)
		}
	})
}
