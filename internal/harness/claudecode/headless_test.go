package claudecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
)

// opus prices like the recordings' model: dollars per million tokens.
func opus(u harness.Usage, model string) (float64, bool) {
	hour := min(u.CacheWrite1h, u.CacheWrite)
	return (float64(u.Input)*4 + float64(u.CacheRead)*0.2 + float64(u.CacheWrite-hour)*5 + float64(hour)*8 +
		float64(u.Output)*20) / 1e6, model == "claude-opus-5-5"
}

func read(t *testing.T, text []byte) harness.Outcome {
	t.Helper()
	out := claudecode.Headless().Read(harness.Reading{Price: opus, PriceSum: opus})
	for line := range bytes.Lines(text) {
		out.Line(bytes.TrimRight(line, "\n"))
	}
	return out.Outcome()
}

func TestHeadlessRecordings(t *testing.T) {
	responses := func(n int64) *harness.Usage {
		return &harness.Usage{Input: 12 * n, CacheRead: 9000 * n, CacheWrite: 300 * n, CacheWrite1h: 100 * n, Output: 80 * n}
	}
	cutOff := responses(2)
	cutOff.Output = 2
	for file, want := range map[string]harness.Outcome{
		"auth-401":           {Cost: new(0.0), Source: "reported", Turns: new(1), Error: "Invalid API key · Fix external API key"},
		"auth-not-logged-in": {Cost: new(0.0), Source: "reported", Turns: new(1), Error: "Not logged in · Please run /login"},
		// Two result lines: the last one's cost, every turn.
		"full": {
			Cost: new(0.069746), Source: "reported", Model: "claude-opus-5-5", Turns: new(12), Worked: true,
			Usage: &harness.Usage{Input: 149, CacheRead: 112000, CacheWrite: 3650, CacheWrite1h: 1200, Output: 1245},
		},
		"hook-deny-and-stop": {
			Cost: new(0.010496), Source: "reported", Model: "claude-opus-5-5", Turns: new(3), Denials: 1, Worked: true,
			CutShort: harness.ByHook, Usage: responses(2),
		},
		// Stopped without a result: the output counts are those of the stream's start.
		"killed-sigkill": {
			Cost: new(0.007336), Source: "partial", Model: "claude-opus-5-5", Worked: true,
			Error: "no final result: the run was stopped", Usage: cutOff,
		},
		"max-budget": {
			Cost: new(0.010496), Source: "reported", Model: "claude-opus-5-5", Turns: new(2), Worked: true,
			Error: "Reached maximum budget ($0.01)", CutShort: harness.ByBudget, Usage: responses(2),
		},
		"permission-denied": {
			Cost: new(0.020992), Source: "reported", Model: "claude-opus-5-5", Turns: new(4), Denials: 3, Worked: true,
			Usage: responses(4),
		},
		"prompt-blocked": {
			Cost: new(0.0), Source: "reported", Turns: new(0),
			Error: "UserPromptSubmit operation blocked by hook:\nGUARD-PROMPT-BLOCK\n\nOriginal prompt: Do the scripted task",
		},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/headless", file+".stream.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, read(t, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// A background subagent that outlives its main agent goes on spending after
// the first result line.
func TestHeadlessSpendAfterTheResult(t *testing.T) {
	got := read(t, []byte(`{"type":"assistant","message":{"id":"a","model":"claude-opus-5-5","usage":{"output_tokens":50}}}
{"type":"result","total_cost_usd":0.25,"num_turns":1}
{"type":"assistant","message":{"id":"a","model":"claude-opus-5-5","usage":{"output_tokens":50}}}
{"type":"assistant","message":{"id":"b","model":"claude-opus-5-5","usage":{"output_tokens":100000}}}
`))
	want := harness.Outcome{Cost: new(2.25), Source: "partial", Turns: new(1), Worked: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeadlessUnpricedModel(t *testing.T) {
	got := read(t, []byte(`{"type":"assistant","message":{"id":"a","model":"other","usage":{"output_tokens":5}}}`))
	if got.Cost != nil || got.Source != "" || !got.Worked {
		t.Errorf("got %+v, want no cost, and work", got)
	}
}

func TestHeadlessNoise(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "[]", "plain", `{"type":"result","errors":"odd","total_cost_usd":1}`, `{"type":7}`} {
		read(t, []byte(text)) // must not panic
	}
	if got := read(t, []byte(`{"type":"result","total_cost_usd":1,"errors":"odd"}`)); got.Cost == nil || *got.Cost != 1 {
		t.Errorf("an odd field lost the cost: %+v", got)
	}
}

func TestHeadlessCommand(t *testing.T) {
	got := claudecode.Headless().Command(harness.Job{Prompt: "do", TestCmd: "npm ci && npm test", Budget: 0.299, Model: "m"})
	want := strings.Split("claude\n-p\ndo\n--output-format\nstream-json\n--verbose\n--permission-mode\nacceptEdits\n"+
		"--allowedTools\nBash(npm ci),Bash(npm ci *),Bash(npm test),Bash(npm test *)\n--no-session-persistence\n"+
		"--strict-mcp-config\n--max-budget-usd\n0.29\n--model\nm", "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeadlessBudgetIsRoundedDown(t *testing.T) {
	for usd, want := range map[float64]string{0.29: "0.29", 0.001: "0.01", 1.009: "1.00", 12.5: "12.50", 0.289999: "0.28"} {
		argv := claudecode.Headless().Command(harness.Job{TestCmd: "x", Budget: usd})
		if got := argv[len(argv)-1]; got != want {
			t.Errorf("budget %v is passed as %s, want %s", usd, got, want)
		}
	}
}
