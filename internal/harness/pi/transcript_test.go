package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

// TestEntries: which entries are responses, and what of them counts.
func TestEntries(t *testing.T) {
	const usage = `"usage":{"input":10,"output":7,"cacheRead":4,"cacheWrite":3,"cacheWrite1h":2,"reasoning":5,"totalTokens":24,"cost":{"total":0.5}}`
	said := func(more string) string {
		return `{"type":"message","id":"a","timestamp":"2026-11-30T10:00:00Z","message":{"role":"assistant","model":"m",` + usage + `,"responseId":"r","timestamp":1796036259157` + more + `}}`
	}
	const all = `in=10 read=4 write=3 1h=2 out=7 think=5`
	for _, c := range []struct{ name, line, want string }{
		{"response", said(""), `10:57:39.157 response "pi/r/m/1796036259157/10/4/3/7" m ` + all},
		{"a router's model", said(`,"responseModel":"n"`), `10:57:39.157 response "pi/r/n/1796036259157/10/4/3/7" n ` + all},
		{"the entry's time", `{"type":"message","timestamp":"2026-11-30T10:00:00Z","message":{"role":"assistant","model":"m",` + usage + `}}`, `10:00:00.000 response "pi//m/1796032800000/10/4/3/7" m ` + all},
		{"no time and no id", `{"type":"message","message":{"role":"assistant","model":"m",` + usage + `}}`, `- response "" m ` + all},
		{"summary", `{"type":"compaction","id":"c","timestamp":"2026-11-30T10:00:00Z",` + usage + `}`, `10:00:00.000 response "pi/c//1796032800000/10/4/3/7"  ` + all},
		{"summary of a branch", `{"type":"branch_summary","id":"b","timestamp":"2026-11-30T10:00:00Z",` + usage + `}`, `10:00:00.000 response "pi/b//1796032800000/10/4/3/7"  ` + all},
		{"a tool's requests", `{"type":"message","id":"a","message":{"role":"toolResult","toolCallId":"t",` + usage + `,"timestamp":1796036259157}}`, `10:57:39.157 response "pi/t//1796036259157/10/4/3/7"  ` + all},
		{"kept by a compaction", `{"type":"compaction","id":"c","retainedTail":[{"role":"assistant","model":"m",` + usage + `}]}`, ""},
		{"a user's", `{"type":"message","id":"a","message":{"role":"user",` + usage + `}}`, ""},
		{"an extension's", `{"type":"custom","id":"a","data":{` + usage + `},` + usage + `}`, ""},
		{"aborted", `{"type":"message","id":"a","message":{"role":"assistant","model":"m","usage":{"input":0,"output":0},"stopReason":"aborted"}}`, ""},
		{"malformed", said("")[:len(said(""))-1], ""},
	} {
		var got []string
		for _, e := range read(c.line + "\n") {
			got = append(got, e.String())
			if e.USD != 0.5 {
				t.Errorf("%s: $%g", c.name, e.USD)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// TestLogs: where sessions lie, and whose they are.
func TestLogs(t *testing.T) {
	place := t.TempDir()
	for _, name := range []string{"--home-dev-one--/2026-11-30T10-57-38-685Z_01a22c1a.jsonl", "2026-11-30T10-57-39-000Z_flat.jsonl", "--home-dev-one--/notes.txt", "x/y/deep.jsonl"} {
		path := filepath.Join(place, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []harness.Log{
		{Path: "--home-dev-one--/2026-11-30T10-57-38-685Z_01a22c1a.jsonl", Session: "01a22c1a"},
		{Path: "2026-11-30T10-57-39-000Z_flat.jsonl", Session: "flat"},
	}
	got := Logs(place)
	for i := range got {
		path, _ := filepath.Rel(place, got[i].Path)
		got[i].Path = filepath.ToSlash(path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	l := harness.Log{Session: "of the path"}
	if !Head(&l, []byte(`{"type":"session","version":3,"id":"s","cwd":"/home/dev/one","parentSession":"/x/p.jsonl"}`)) ||
		l.Session != "s" || l.Project != "/home/dev/one" {
		t.Errorf("header read as %+v", l)
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ own, sessions, want string }{
		{"", "", "/home/dev/.pi/agent/sessions"},
		{"/opt/pi", "", "/opt/pi/sessions"},
		{"~/pi", "~", "/home/dev /home/dev/pi/sessions"},
		{"", "/sessions", "/sessions /home/dev/.pi/agent/sessions"},
	} {
		got := Places(func(name string) string {
			return map[string]string{"PI_CODING_AGENT_DIR": c.own, "PI_CODING_AGENT_SESSION_DIR": c.sessions}[name]
		}, "/home/dev")
		if filepath.ToSlash(strings.Join(got, " ")) != c.want {
			t.Errorf("%q, %q: %v, want %s", c.own, c.sessions, got, c.want)
		}
	}
}
