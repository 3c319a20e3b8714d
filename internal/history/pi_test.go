package history

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/usage"
)

// TestRecordedPiForks: what pi copies into forks, a whole session or one branch
// of it, counts once (T21; junhoyeo/tokscale#1305).
func TestRecordedPiForks(t *testing.T) {
	found, _ := filepath.Glob("../harness/pi/testdata/sessions/*/*.jsonl")
	w, written := newWorld(t), 0
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.write(".pi/agent/sessions/--home-dev-project--/"+filepath.Base(path), string(text))
		written += strings.Count(string(text), `"role":"assistant"`)
	}
	report := usage.Fold(w.read().Logs, price.Embedded(), usage.Question{By: usage.Session, Zone: time.UTC})
	if written != 5+5+3 || report.Total.Responses != 5 || len(report.Rows) != 1 || report.Total.USD != 0.0375 {
		t.Errorf("%d responses in %d files: %+v", written, len(found), report)
	}
}

// TestPiForks: what a fork repeats of its parent counts in the parent, and what it
// adds counts as its own. Made by hand after the recorded ones; before version 2
// the header's word was branchedFrom and entries had no ids, which a file gets
// when it is opened again.
func TestPiForks(t *testing.T) {
	found, _ := filepath.Glob("../harness/pi/testdata/sessions/full/*.jsonl")
	if len(found) != 1 {
		t.Fatal(found)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	parent := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	last := parent[len(parent)-1]
	own := strings.NewReplacer("chatcmpl_00000009", "chatcmpl_00000010", "1796036259420", "1796036300000", `"output":80`, `"output":81`).Replace(last) + "\n"
	ids := regexp.MustCompile(`("type":"\w+"),"id":"\w+","parentId":(null|"\w+")`)
	const (
		first = ".pi/agent/sessions/--home-dev-project--/2026-11-30T10-57-38-685Z_01a22c1a-6b7b-72fb-9dc8-c878ea827718.jsonl"
		fork  = ".pi/agent/sessions/--home-dev-other--/2026-11-30T11-00-00-000Z_fork.jsonl"
	)
	for _, c := range []struct {
		name, header, parent string
		shared               int // lines
	}{
		{"a fork", `"version":3,"parentSession":"/p/` + first + `",`, string(text), 7},
		{"a fork at the end", `"version":3,"parentSession":"/p/` + first + `",`, string(text), len(parent)},
		{"an old branch", `"branchedFrom":"/p/` + first + `",`, ids.ReplaceAllString(string(text), "$1"), 9},
	} {
		w := newWorld(t)
		w.write(first, c.parent)
		w.write(fork, `{"type":"session",`+c.header+`"id":"fork","timestamp":"2026-11-30T11:00:00.000Z","cwd":"/home/dev/other"}`+"\n"+
			strings.TrimSuffix(strings.Join(parent[1:c.shared], ""), "\n")+"\n"+own)
		rows := map[string]usage.Row{}
		report := usage.Fold(w.read().Logs, price.Embedded(), usage.Question{By: usage.Session, Zone: time.UTC})
		for _, row := range report.Rows {
			rows[row.Key] = row
		}
		a, b := rows["01a22c1a-6b7b-72fb-9dc8-c878ea827718"], rows["fork"]
		if a.Responses != 5 || a.Output != 400 || a.USD != 0.0375 || a.Project != "/home/dev/project" || a.Harness != harness.Pi {
			t.Errorf("%s: the parent is %+v", c.name, a)
		}
		if b.Responses != 1 || b.Output != 81 || b.USD != 0.0075 || b.Project != "/home/dev/other" {
			t.Errorf("%s: the fork is %+v", c.name, b)
		}
	}
}
