package geminicli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

func readChat(t *testing.T, path string) (sum harness.Usage, responses int) {
	t.Helper()
	r := NewReader(func(e harness.Event) {
		if e.Kind != harness.Response || e.ID == "" || e.Model == "" || e.Time.IsZero() {
			t.Errorf("event %s", e)
		}
		u := e.Usage
		sum.Input, sum.CacheRead, sum.Output = sum.Input+u.Input, sum.CacheRead+u.CacheRead, sum.Output+u.Output
		sum.Reasoning += u.Reasoning
		responses++
	}, harness.Resume{})
	end, err := transcript.Tail(path, 0, r.Line)
	if err != nil {
		t.Fatal(err)
	}
	r.Close(end, true)
	return sum, responses
}

// TestRecordedChats: a message counts once, however often it was written.
func TestRecordedChats(t *testing.T) {
	for name, want := range map[string]struct {
		responses int
		sum       harness.Usage
	}{
		"full":               {8, harness.Usage{Input: 8 * 1200, CacheRead: 8 * 9000, Output: 101 + 102 + 103 + 104 + 105 + 106 + 107 + 110 + 80, Reasoning: 80}},
		"killed":             {2, harness.Usage{Input: 2400, CacheRead: 18000, Output: 180, Reasoning: 20}},
		"plain":              {4, harness.Usage{Input: 4800, CacheRead: 36000, Output: 360, Reasoning: 40}},
		"hook-deny":          {4, harness.Usage{Input: 4800, CacheRead: 36000, Output: 360, Reasoning: 40}},
		"hook-deny-and-stop": {2, harness.Usage{Input: 2400, CacheRead: 18000, Output: 180, Reasoning: 20}},
	} {
		files, _ := filepath.Glob("testdata/chats/" + name + "/*.jsonl")
		if len(files) != 1 {
			t.Fatalf("%s: files %v", name, files)
		}
		sum, n := readChat(t, files[0])
		if diff := cmp.Diff(want.sum, sum); n != want.responses || diff != "" {
			t.Errorf("%s: %d responses, want %d; -want +got\n%s", name, n, want.responses, diff)
		}
	}
}

// TestShapes: both forms of a chat, checkpoints, and what was taken back.
func TestShapes(t *testing.T) {
	const (
		one = `{"id":"a","timestamp":"2026-11-30T10:00:00Z","type":"gemini","tokens":{"input":10,"cached":4,"output":3,"thoughts":2,"tool":5,"total":20},"model":"m"}`
		two = `{"id":"b","timestamp":"2026-11-30T10:00:01Z","type":"gemini","tokens":{"input":1,"cached":0,"output":1,"thoughts":0,"tool":0},"model":"m"}`
	)
	for _, c := range []struct {
		name, text string
		responses  int
	}{
		{"twice", one + "\n" + one + "\n", 1},
		{"checkpoint", one + "\n" + `{"$set":{"messages":[` + one + `,` + two + `]}}` + "\n", 2},
		{"document", `{"sessionId":"s","messages":[` + one + `,` + two + `]}` + "\n", 2},
		{"taken back", one + "\n" + `{"$rewindTo":"a"}` + "\n" + two + "\n", 2},
		{"malformed", one[:len(one)-1] + "\n" + two + "\n", 1},
		{"a user's tokens", `{"id":"c","type":"user","tokens":{"input":10}}` + "\n", 0},
	} {
		path := filepath.Join(t.TempDir(), "session-1.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, n := readChat(t, path)
		if n != c.responses {
			t.Errorf("%s: %d responses, want %d", c.name, n, c.responses)
		}
		if c.name == "twice" && sum != (harness.Usage{Input: 11, CacheRead: 4, Output: 5, Reasoning: 2}) {
			t.Errorf("tokens %+v", sum)
		}
	}
}

// TestLogs: where chats lie, and whose they are.
func TestLogs(t *testing.T) {
	place := filepath.Join(t.TempDir(), ".gemini", "tmp")
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(place, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one/chats/session-2026-11-30T10-24-840e9c84.jsonl", "")
	write("one/chats/840e9c84-0f58/sub.jsonl", "")
	write("one/chats/notes.jsonl", "")
	write("one/.project_root", "/home/dev/one\n")
	write("two/chats/session-1.json", "{}")
	write("../projects.json", `{"projects":{"/home/dev/two":"two"}}`)
	want := []harness.Log{
		{Path: "one/chats/840e9c84-0f58/sub.jsonl", Session: "840e9c84-0f58", Project: "/home/dev/one", Agent: "sub"},
		{Path: "one/chats/session-2026-11-30T10-24-840e9c84.jsonl", Session: "session-2026-11-30T10-24-840e9c84", Project: "/home/dev/one"},
		{Path: "two/chats/session-1.json", Session: "session-1", Project: "/home/dev/two"},
	}
	got := Logs(place)
	for i := range got {
		got[i].Path, _ = filepath.Rel(place, got[i].Path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
