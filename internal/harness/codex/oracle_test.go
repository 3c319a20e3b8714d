package codex

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

// toldTokens are token counts as Codex itself adds them up, in OpenAI's meanings.
type toldTokens struct {
	Input     int64 `json:"input_tokens"`
	Cached    int64 `json:"cached_input_tokens"`
	Written   int64 `json:"cache_write_input_tokens"`
	Output    int64 `json:"output_tokens"`
	Reasoning int64 `json:"reasoning_output_tokens"`
}

func (a toldTokens) plus(b toldTokens) toldTokens {
	return toldTokens{a.Input + b.Input, a.Cached + b.Cached, a.Written + b.Written, a.Output + b.Output, a.Reasoning + b.Reasoning}
}

// counted adds up what the reader finds in a rollout, said in Codex's meanings.
func counted(t *testing.T, path string) (sum toldTokens) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	remembered, err := Prepare(path, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	events, _, _ := readAll(data, 0, remembered, true)
	for _, e := range events {
		if u := e.Usage; e.Kind == harness.Response {
			sum = sum.plus(toldTokens{u.Input + u.CacheRead + u.CacheWrite, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning})
		}
	}
	return sum
}

// TestTokensAreWhatCodexSaid holds what the reader counts, from the records of
// each response, against the sums that Codex made itself: what a run printed at
// its end, which is of the root thread alone, and for a subagent the last running
// total of its rollout.
func TestTokensAreWhatCodexSaid(t *testing.T) {
	for _, name := range []string{"full", "hook-deny", "compacted", "subagent", "prompt-blocked"} {
		root, printed := printedEnd(t, filepath.Join("testdata/headless", name+".jsonl"))
		files, _ := filepath.Glob("testdata/rollouts/" + name + "/*.jsonl")
		roots := 0
		for _, path := range files {
			want := printed
			if !strings.HasSuffix(path, root+".jsonl") {
				want = lastTotal(t, path)
			} else {
				roots++
			}
			if diff := cmp.Diff(want, counted(t, path)); diff != "" {
				t.Errorf("%s: -Codex +counted\n%s", path, diff)
			}
		}
		if subagents := len(files) - roots; roots != 1 || (subagents == 1) != (name == "subagent") {
			t.Errorf("%s: %d root threads, %d subagents", name, roots, subagents)
		}
		if (printed == toldTokens{}) != (name == "prompt-blocked") {
			t.Errorf("%s: printed %+v", name, printed)
		}
	}
}

// printedEnd is the thread and the tokens of a run's own output.
func printedEnd(t *testing.T, path string) (thread string, usage toldTokens) {
	t.Helper()
	found := false
	eachLine(t, path, func(line []byte) {
		var l struct {
			Type   string     `json:"type"`
			Thread string     `json:"thread_id"`
			Usage  toldTokens `json:"usage"`
		}
		if json.Unmarshal(line, &l) != nil {
			return
		}
		switch l.Type {
		case "thread.started":
			thread = l.Thread
		case "turn.completed":
			usage, found = usage.plus(l.Usage), true
		}
	})
	if thread == "" || !found {
		t.Fatalf("%s names no thread, or has no end", path)
	}
	return thread, usage
}

// lastTotal is the thread's running total, which the reader does not use where
// there are records of single responses.
func lastTotal(t *testing.T, path string) (total toldTokens) {
	t.Helper()
	eachLine(t, path, func(line []byte) {
		var l struct {
			Payload struct {
				Info struct {
					Total *toldTokens `json:"total_token_usage"`
				} `json:"info"`
			} `json:"payload"`
		}
		if json.Unmarshal(line, &l) == nil && l.Payload.Info.Total != nil {
			total = *l.Payload.Info.Total
		}
	})
	if total == (toldTokens{}) {
		t.Fatalf("%s has no total", path)
	}
	return total
}

func eachLine(t *testing.T, path string, line func([]byte)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(data) {
		line(l)
	}
}
