package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/codex"
)

// sol prices in dollars per million tokens.
func sol(u harness.Usage, model string) (float64, bool) {
	return (float64(u.Input)*2 + float64(u.CacheRead)*0.2 + float64(u.CacheWrite)*2.5 + float64(u.Output)*10) / 1e6,
		model == "gpt-6-sol"
}

func read(text []byte, testCmd string) harness.Outcome {
	out := codex.Headless().Read(harness.Reading{TestCmd: testCmd, Model: "gpt-6-sol", Price: sol, PriceSum: sol})
	for line := range bytes.Lines(text) {
		out.Line(bytes.TrimRight(line, "\n"))
	}
	return out.Outcome()
}

func TestHeadlessRecordings(t *testing.T) {
	for file, want := range map[string]harness.Outcome{
		"full": {
			Cost: new(0.03672), Source: "tokens", Worked: true, TestRuns: new(4), TestsBad: new(0),
			Usage: &harness.Usage{Input: 8400, CacheRead: 63000, Output: 732, Reasoning: 70},
		},
		// Warnings about settings are items too, but no model was reached.
		"auth-401": {
			Error:    "unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1:8199/v1/responses",
			TestRuns: new(0), TestsBad: new(0),
		},
		"auth-missing-key": {Error: "Missing environment variable: `SCRIPTED_KEY`.", TestRuns: new(0), TestsBad: new(0)},
		"killed-sigterm":   {Worked: true, TestRuns: new(0), TestsBad: new(0)},
		"prompt-blocked": {
			Cost: new(0.0), Source: "tokens", Usage: &harness.Usage{}, TestRuns: new(0), TestsBad: new(0),
		},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/headless", file+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		want.Model = "gpt-6-sol"
		if diff := cmp.Diff(want, read(text, "echo hi")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// input_tokens holds both the cached reads and the cache writes, so neither may
// be charged again as input. The second case is the mix that AWS measured.
func TestHeadlessCacheWritesCountOnce(t *testing.T) {
	for _, c := range []struct {
		line string
		want float64
	}{
		{`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"cache_write_input_tokens":30,"output_tokens":10,"reasoning_output_tokens":5}}`, 243e-6},
		{`{"type":"turn.completed","usage":{"input_tokens":703051,"cached_input_tokens":0,"cache_write_input_tokens":702443,"output_tokens":0}}`, 1.7573235},
	} {
		got := read([]byte(c.line), "")
		if got.Cost == nil || *got.Cost < c.want-1e-9 || *got.Cost > c.want+1e-9 {
			t.Errorf("cost of %s = %v, want %v", c.line, got.Cost, c.want)
		}
	}
}

func TestHeadlessCountsTestRunsAndDenials(t *testing.T) {
	got := read([]byte(`{"type":"item.completed","item":{"type":"command_execution","command":"bash -lc 'go test ./... -run X'","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"type":"command_execution","command":"bash -lc 'go test ./...'","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"type":"command_execution","command":"rm -rf x","status":"declined"}}
`), "go vet && go test ./...")
	want := harness.Outcome{Model: "gpt-6-sol", Worked: true, Denials: 1, TestRuns: new(2), TestsBad: new(1)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeadlessErrorThatWasSurvived(t *testing.T) {
	got := read([]byte(`{"type":"error","message":"Reconnecting... 1/5"}
{"type":"turn.completed","usage":{"input_tokens":1}}
`), "")
	if got.Error != "" {
		t.Errorf("error %q, want none", got.Error)
	}
}

func TestReadConfig(t *testing.T) {
	for in, want := range map[string]harness.Config{
		"":                        {},
		`model = "gpt-6-sol"`:     {Model: "gpt-6-sol"},
		"  model='gpt-6-sol' # x": {Model: "gpt-6-sol"},
		`"model" = "a"`:           {Model: "a"},
		"# model = \"a\"\nmodel_provider = \"b\"\n[profiles.x]\nmodel = \"c\"\n":    {},
		"notes = \"\"\"\nmodel = \"no\"\n\"\"\"\nmodel = \"yes\"\n":                 {Model: "yes"},
		"model = \"\"\"\nmulti\n\"\"\"\n":                                           {},
		"model = \"a\\u0041\"":                                                      {},
		"[model_providers.own]\nenv_key = \"OWN_KEY\"\n[other]\nenv_key = \"NO\"\n": {KeyVars: []string{"OWN_KEY"}},
	} {
		if diff := cmp.Diff(want, codex.ReadConfig(in)); diff != "" {
			t.Errorf("ReadConfig(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestHeadlessCommand(t *testing.T) {
	got := codex.Headless().Command(harness.Job{Prompt: "do", TestCmd: "x", Budget: 3, Model: "m"})
	want := []string{"codex", "exec", "--json", "--sandbox", "workspace-write", "--ephemeral", "--model", "m", "do"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
