package status

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
)

var noon = time.Date(2026, 11, 30, 12, 34, 56, 0, time.UTC)

func session() *guard.Session {
	s := guard.New("23dbff23-0698-4ed8-b10b-da140d276d39", harness.ClaudeCode, noon)
	s.Limits = guard.Defaults()
	return s
}

func busy() *guard.Session {
	s := session()
	s.CostUSD, s.BaselineUSD, s.Resets = 15.5, 6.25, 2
	s.EstimatedUSD, s.EstimatedTokens, s.EstimatedModels = 1.5, 1234567, []string{"claude-opus-9", "x`|y"}
	s.Streaks = map[string]int{"main": 1, "sub": 4}
	s.Counts = map[string]int{guard.WireLoop: 1, guard.WireFailures: 2, guard.WireSpend: 3, guard.WireWarning: 1, guard.WireBaseline: 1}
	s.Files["/a"], s.Files["/b"] = &guard.File{}, &guard.File{}
	for _, tool := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "", "Ba`sh|\x1b[31m"} {
		s.Trips = append(s.Trips, guard.Trip{Wire: guard.WireLoop, At: "2026-11-30T12:00:00Z", Tool: tool, Detail: "3rd identical call"})
	}
	return s
}

func TestMarkdown(t *testing.T) {
	want := "**Session `23dbff23` has spent $9.25 (at most $1.50 of it estimated) of its $10.00 cap; the guard stepped in 6 times.**\n" + `
Done.

| Trip wire | Limit | Now | Stepped in |
|---|---|---|---|
| Spend | $10.00 a session, warning at 80% | $9.25 (92%) | 3 calls blocked |
| Loop | the same call 3 times with nothing changed |  | 1 call blocked |
| Failures | 5 failed calls in a row | 4 in a row | stepped in 2 times |

Latest events:
- 2026-11-30 12:00 UTC, loop: ` + "`8`" + `, 3rd identical call
- 2026-11-30 12:00 UTC, loop: ` + "`9`" + `, 3rd identical call
- 2026-11-30 12:00 UTC, loop: ` + "`10`" + `, 3rd identical call
- 2026-11-30 12:00 UTC, loop: a tool call, 3rd identical call
- 2026-11-30 12:00 UTC, loop: ` + "`Ba'sh/ [31m`" + `, 3rd identical call

`
	got := Of(busy(), "/state/x.json", 1).Markdown("Done.")
	head, rest, ok := strings.Cut(got, "\nSpend warnings shown: 1.\n")
	if diff := cmp.Diff(want, head+"\n"); diff != "" || !ok {
		t.Errorf("report (-want +got):\n%s\n%s", diff, got)
	}
	for _, part := range []string{
		"2 times", "$15.50", "$1.50", "`claude-opus-9`, `x'/y`", "1,234,567 tokens", "Transcripts read: 2.", "2026-11-30 12:34 UTC",
		"1 time;", "| `fanout_stop` | 40 | no more than 40 subagents", "| `day_cap_usd` | off | N a day",
	} {
		if !strings.Contains(rest, part) {
			t.Errorf("%q does not say %q", rest, part)
		}
	}
}

func TestMarkdownOfAQuietSession(t *testing.T) {
	s := session()
	s.Limits = guard.Limits{WarnAt: 0.8}
	got := Of(s, "/state/x.json", 0).Markdown("")
	for _, part := range []string{
		"has spent $0.00 (no spend cap is set); no trip wire has fired", "| Spend | off | $0.00 | 0 calls blocked |",
		"| Loop | off |  | 0 calls blocked |", "| Failures | off | 0 in a row | stepped in 0 times |",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q does not say %q", got, part)
		}
	}
	got, _, _ = strings.Cut(got, "| Rule |")
	for _, part := range []string{"Latest events", "warnings", "started over", "estimate", "error"} {
		if strings.Contains(got, part) {
			t.Errorf("%q speaks of %q", got, part)
		}
	}
}

// TestJSONKeys: programs read these; the Python guard printed the same.
func TestJSONKeys(t *testing.T) {
	data, err := json.Marshal(Of(busy(), "/state/x.json", 7))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	events, _ := got["recent_trips"].([]any)
	if len(events) != 10 {
		t.Errorf("%d recent trips", len(events))
	}
	rules, _ := got["rules"].([]any)
	if len(rules) != len(guard.Defaults().Lines()) {
		t.Errorf("%d rules", len(rules))
	}
	delete(got, "recent_trips")
	delete(got, "rules")
	want := map[string]any{
		"session": "23dbff23-0698-4ed8-b10b-da140d276d39", "harness": "claude-code", "created": "2026-11-30T12:34:56Z",
		"updated": "2026-11-30T12:34:56Z", "spent_usd": 9.25, "total_usd": 15.5, "cap_usd": 10.0,
		"limits":         map[string]any{"spend_cap_usd": 10.0, "warn_at": 0.8, "loop_repeats": 3.0, "failure_streak": 5.0},
		"trips":          map[string]any{"loop": 1.0, "failures": 2.0, "spend": 3.0, "warning": 1.0},
		"failure_streak": 4.0, "transcripts": 2.0, "estimated_usd": 1.5, "estimated_tokens": 1234567.0,
		"estimated_models": []any{"claude-opus-9", "x'/y"}, "resets": 2.0, "errors_logged": 7.0, "tokens": 0.0, "state_path": "/state/x.json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestAnEmptySessionHasListsAndNotNull(t *testing.T) {
	data, err := json.Marshal(Of(session(), "/x", 0))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("%s", data)
	}
}

func TestList(t *testing.T) {
	other := session()
	other.ID, other.Limits = "short|id", guard.Limits{}
	got := List([]Summary{Of(busy(), "/a", 0), Of(other, "/b", 0)})
	want := "**The guard knows 2 sessions.**\n\n| Session | Last check | Spent | Cap | Stepped in |\n|---|---|---|---|---|\n" +
		"| `23dbff23-0698-4ed8-b10b-da140d276d39` | 2026-11-30 12:34 UTC | $9.25 | $10.00 | 6 |\n" +
		"| `short/id` | 2026-11-30 12:34 UTC | $0.00 | off | 0 |\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	if got := List(nil); !strings.HasPrefix(got, "**The guard knows 0 sessions.**") {
		t.Errorf("no sessions: %q", got)
	}
}

// TestNothingUnsafeIsShown: what came from a session is one inert line.
func TestNothingUnsafeIsShown(t *testing.T) {
	s := busy()
	hostile := "x\n| y `z` \x1b[2J \u202e " + strings.Repeat("a b ", 200)
	s.ID, s.Harness, s.Created, s.Updated = hostile, hostile, hostile, hostile
	s.EstimatedModels = []string{hostile}
	s.Trips = []guard.Trip{{Wire: hostile, At: hostile, Tool: hostile, Detail: hostile}}
	sum := Of(s, "/x", 0)
	data, err := json.Marshal(sum)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(Of(busy(), "/x", 0).Markdown(""), "\n") - 4 // one event in place of five
	report := sum.Markdown("")
	if got := strings.Count(report, "\n"); got != lines {
		t.Errorf("%d lines, want %d:\n%s", got, lines, report)
	}
	for _, text := range []string{report, List([]Summary{sum}), string(data)} {
		if strings.ContainsAny(text, "\x1b\u202e\r") || strings.Contains(text, `\u001b`) || strings.Contains(text, `\n`) {
			t.Errorf("unsafe: %q", text)
		}
	}
}
