package geminicli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/geminicli"
)

func free(harness.Usage, string) (float64, bool) { return 0, false }

func read(text []byte) harness.Outcome {
	out := geminicli.Headless().Read(harness.Reading{Price: free, PriceSum: free})
	for line := range bytes.Lines(text) {
		out.Line(bytes.TrimRight(line, "\n"))
	}
	return out.Outcome()
}

func TestHeadlessRecordings(t *testing.T) {
	// What each scripted response was made of; thoughts are part of the output.
	responses := func(n int64) *harness.Usage {
		return &harness.Usage{Input: 1200 * n, CacheRead: 9000 * n, Output: 90 * n, Reasoning: 10 * n}
	}
	const pro = "gemini-3.1-pro-preview"
	for file, want := range map[string]harness.Outcome{
		"full.stream.jsonl": {
			Model: pro, Turns: new(8), Worked: true,
			Usage: &harness.Usage{Input: 10800, CacheRead: 81000, Output: 1008, Reasoning: 90},
		},
		"hook-deny.stream.jsonl": {Model: pro, Turns: new(4), Denials: 1, Worked: true, Usage: responses(4)},
		"hook-deny-and-stop.stream.jsonl": {
			Model: pro, Turns: new(2), Denials: 1, Worked: true, Usage: responses(2),
			CutShort: harness.ByHook, Error: "Agent execution stopped by hook: GUARD-STOP",
		},
		"model-denied.stream.jsonl": {
			Model: pro, Turns: new(1), Worked: true, Usage: responses(1),
			CutShort: harness.ByHook, Error: "Agent execution blocked: GUARD-MODEL",
		},
		"prompt-blocked.stream.jsonl": {CutShort: harness.ByHook, Error: "Agent execution blocked: GUARD-PROMPT"},
		"killed-sigterm.stream.jsonl": {Turns: new(2), Worked: true},
		"auth-bad-key.stream.jsonl": {
			Model: pro, Usage: &harness.Usage{},
			Error: `[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`,
		},
		"plain.json": {Model: pro, Turns: new(4), Worked: true, Usage: responses(4)},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/headless", file))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, read(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// The one object of --output-format json: an error, refused calls, two models.
func TestHeadlessDocument(t *testing.T) {
	got := read([]byte("Loaded cached credentials.\n" + `{"error":{"message":"quota exceeded"}}`))
	if got.Error != "quota exceeded" || got.Worked || got.Turns != nil {
		t.Errorf("got %+v, want the error and no work", got)
	}
	got = read([]byte(`{"stats":{"models":{"a":{"api":{"totalRequests":3},"tokens":{"prompt":900,"cached":100,"candidates":50,"thoughts":7}},` +
		`"b":{"api":{"totalRequests":1},"tokens":{"prompt":10}}},"tools":{"totalDecisions":{"reject":2}}}}`))
	want := harness.Outcome{
		Model: "a", Turns: new(4), Denials: 2, Worked: true,
		Usage: &harness.Usage{Input: 810, CacheRead: 100, Output: 57, Reasoning: 7},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeadlessPricedWhenEveryModelIs(t *testing.T) {
	read := func(price func(harness.Usage, string) (float64, bool)) harness.Outcome {
		out := geminicli.Headless().Read(harness.Reading{Price: price, PriceSum: price})
		out.Line([]byte(`{"type":"result","status":"success","stats":{"models":{"a":{"total_tokens":5,"input_tokens":5},"b":{"total_tokens":5,"input_tokens":5}}}}`))
		return out.Outcome()
	}
	all := read(func(u harness.Usage, _ string) (float64, bool) { return float64(u.Input), true })
	if all.Cost == nil || *all.Cost != 10 || all.Source != harness.FromTokens {
		t.Errorf("got %+v, want 10 from tokens", all)
	}
	some := read(func(_ harness.Usage, m string) (float64, bool) { return 1, m == "a" })
	if some.Cost != nil {
		t.Errorf("got %v, want no cost when one model has no price", *some.Cost)
	}
}

func TestHeadlessCommand(t *testing.T) {
	h, j := geminicli.Headless(), harness.Job{Prompt: "do", TestCmd: `make x && echo "hi"`, Model: "m", Dir: "/side"}
	want := []string{
		"gemini", "--output-format", "stream-json", "--approval-mode", "auto_edit", "--skip-trust",
		"--policy", "/side/gemini-policy.toml", "-m", "m", "-p", "do",
	}
	if diff := cmp.Diff(want, h.Command(j)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	policy := `[[rule]]
toolName = "run_shell_command"
commandPrefix = "make x"
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandPrefix = "echo \"hi\""
decision = "allow"
priority = 100

`
	if diff := cmp.Diff(map[string]string{"gemini-policy.toml": policy}, h.Files(j)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
