package claudecode

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkrein/internal/golden"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// readAll reads data, of which the first bytes up to from were read before.
func readAll(data []byte, from int64, final bool) (events []harness.Event, next int64) {
	r := NewReader(func(e harness.Event) { events = append(events, e) }, harness.Resume{})
	at := from
	for {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			next, _ = r.Close(at, final)
			return events, next
		}
		r.Line(at, data[at:at+int64(i)])
		at += int64(i) + 1
	}
}

func lines(events []harness.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.String())
	}
	return out
}

// TestRecordedTranscripts holds the events of whole recorded sessions. They
// were checked against the reference program, see testdata/README.md.
func TestRecordedTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/transcripts/*/*.jsonl")
	agents, _ := filepath.Glob("testdata/transcripts/*/*/subagents/*.jsonl")
	files = append(files, agents...)
	if len(files) < 15 {
		t.Fatalf("found %d transcripts, want 15", len(files))
	}
	for _, path := range files {
		name := strings.Split(filepath.ToSlash(path), "/")[2]
		if strings.Contains(path, "subagents") {
			name += "-subagent"
		}
		t.Run(name, func(t *testing.T) {
			var events []harness.Event
			r := NewReader(func(e harness.Event) { events = append(events, e) }, harness.Resume{})
			end, err := transcript.Tail(path, 0, r.Line)
			if err != nil {
				t.Fatal(err)
			}
			if next, _ := r.Close(end, true); next != end {
				t.Errorf("final read ends at %d, want %d", next, end)
			}
			got := strings.Join(lines(events), "\n") + "\n"
			golden.Same(t, *update, filepath.Join("testdata", "events", name+".txt"), got)
		})
	}
}

// use is an assistant record with one tool call, result a user record.
func use(msg, id string, out int) string {
	return fmt.Sprintf(`{"type":"assistant","requestId":"q","message":{"id":%q,"model":"m","content":[{"type":"tool_use","id":%q,"name":"Bash"}],"usage":{"output_tokens":%d}}}`, msg, id, out)
}

func TestResults(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"success", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"hi"}]}}`, "succeeded"},
		{"no error", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":false}]}}`, "succeeded"},
		{"failure", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 1"}]}}`, "failed"},
		{"odd flag", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":"yes"}]}}`, "failed"},
		{"user said no", `{"type":"user","toolDenialKind":"user-rejected","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`, "refused"},
		{"user stopped it", `{"type":"user","toolUseResult":{"interrupted":true},"message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`, "refused"},
		{"rule", `{"type":"user","toolDenialKind":"permission-rule","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`, "neutral"},
		{"reviewer", `{"type":"user","toolDenialKind":"automode-blocked","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`, "neutral"},
		{"new kind of denial", `{"type":"user","toolDenialKind":"cancelled","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`, "neutral"},
		{"another hook, no result", `{"type":"attachment","attachment":{"type":"hook_blocking_error","hookEvent":"PreToolUse","toolUseID":"t"}}`, "neutral"},
		{"another event's hook", `{"type":"attachment","attachment":{"type":"hook_blocking_error","hookEvent":"PostToolUse","toolUseID":"t"}}`, "pending"},
		{"sibling, 2.1.42", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"<tool_use_error>Sibling tool call errored</tool_use_error>"}]}}`, "neutral"},
		{"sibling, bare", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Sibling tool call errored"}]}}`, "neutral"},
		{"sibling, 2.1.158", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"<tool_use_error>Cancelled: parallel tool call Bash(grep x) errored</tool_use_error>"}]}}`, "neutral"},
		{"sibling, blocks", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"Sibling tool call errored"}],"is_error":true}]}}`, "neutral"},
		{"restarted stream", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>"}]}}`, "neutral"},
		{"the words in an output", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"Sibling tool call errored"}]}}`, "succeeded"},
		{"the words quoted", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"log: Sibling tool call errored"}]}}`, "failed"},
		{"another call's result", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"u"}]}}`, "pending"},
		{"no result", `{"type":"system"}`, "pending"},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, _ := readAll([]byte(use("m1", "t", 5)+"\n"+c.record+"\n"), 0, true)
			want := []string{`- response "m1" m in=0 read=0 write=0 out=5 think=0`, `- call "t" Bash ` + c.want}
			if diff := cmp.Diff(want, lines(events)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestDenialStands: a hook's denial and its error result come in any order, a
// word of the user beats both.
func TestDenialStands(t *testing.T) {
	const (
		denied = `{"type":"attachment","attachment":{"type":"hook_blocking_error","hookEvent":"PreToolUse","toolUseID":"t"}}`
		failed = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}`
		no     = `{"type":"user","toolDenialKind":"user-rejected","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}`
	)
	for _, c := range []struct {
		records []string
		want    harness.Result
	}{
		{[]string{denied, failed}, harness.Neutral},
		{[]string{failed, denied}, harness.Neutral},
		{[]string{no, denied}, harness.Refused},
		{[]string{denied, no}, harness.Refused},
		{[]string{no, failed}, harness.Refused},
	} {
		events, _ := readAll([]byte(use("m1", "t", 1)+"\n"+strings.Join(c.records, "\n")+"\n"), 0, true)
		if got := events[1].Result; got != c.want {
			t.Errorf("%q: result %d, want %d", c.records, got, c.want)
		}
	}
}

func TestPrompts(t *testing.T) {
	const prompt, interrupt = "- prompt", "- interrupt"
	for _, c := range []struct {
		name, record string
		want         []string
	}{
		{"typed", `{"type":"user","message":{"content":"do it"}}`, []string{prompt}},
		{"typed as a block", `{"type":"user","message":{"content":[{"type":"text","text":"do it"}]}}`, []string{prompt}},
		{"two texts are one prompt", `{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}`, []string{prompt}},
		{"interrupt between texts", `{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":" [Request interrupted by user for tool use]\n"},{"type":"text","text":"b"}]}}`, []string{prompt, interrupt, prompt}},
		{"reminder between texts", `{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"\n<system-reminder>x"},{"type":"text","text":"b"}]}}`, []string{prompt, prompt}},
		{"reminder", `{"type":"user","message":{"content":"<system-reminder>x</system-reminder>"}}`, nil},
		{"task notification", `{"type":"user","message":{"content":" <task-notification>x"}}`, nil},
		{"a tag of the user's", `{"type":"user","message":{"content":"<div> is broken"}}`, []string{prompt}},
		{"meta", `{"type":"user","isMeta":true,"message":{"content":"x"}}`, nil},
		{"from a human", `{"type":"user","origin":{"kind":"human"},"message":{"content":"x"}}`, []string{prompt}},
		{"from a task", `{"type":"user","message":{"content":"x"},"origin":{"kind":"task"}}`, nil},
		{"origin of another kind", `{"type":"user","origin":{"kind":7},"message":{"content":"x"}}`, nil},
		{"origin without a kind", `{"type":"user","origin":{"kind":null},"message":{"content":"x"}}`, []string{prompt}},
		{"summary", `{"type":"user","isCompactSummary":true,"message":{"content":"x"}}`, nil},
		{"interrupt in an injected record", `{"type":"user","isMeta":true,"message":{"content":"[Request interrupted by user]"}}`, []string{interrupt}},
		{"image", `{"type":"user","message":{"content":[{"type":"image"}]}}`, nil},
		{"content of another type", `{"type":"user","message":{"content":7}}`, nil},
		{"message of another type", `{"type":"user","message":"x"}`, nil},
		{"synthetic reply", `{"type":"assistant","message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"API Error"}],"usage":{"output_tokens":9}}}`, nil},
		{"unknown type", `{"type":"mystery","message":{"role":"user","content":"x"}}`, nil},
		{"malformed", `{"type":"user","message":{"content":"x"}`, nil},
		{"two objects", `{"type":"user","message":{"content":"x"}}{}`, nil},
		{"no object", `["user"]`, nil},
		{"last member counts", `{"type":"assistant","type":"user","message":{"content":"x"}}`, []string{prompt}},
		{"invalid UTF-8", "{\"type\":\"user\",\"message\":{\"content\":\"\xff\"}}", []string{prompt}},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, _ := readAll([]byte("\n"+c.record+"\n"), 0, true)
			if diff := cmp.Diff(c.want, lines(events)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestUsageTakesWholeNumbersOnly(t *testing.T) {
	rec := `{"type":"assistant","timestamp":"2026-11-30T10:00:00.5Z","requestId":"r","message":{"model":"m","usage":{
		"input_tokens":"12","cache_read_input_tokens":true,"cache_creation_input_tokens":100,"output_tokens":1.5,
		"cache_creation":{"ephemeral_1h_input_tokens":120},"output_tokens_details":{"thinking_tokens":-3}}}}`
	events, _ := readAll([]byte(strings.ReplaceAll(rec, "\n", "")+"\n"), 0, true)
	want := []string{`10:00:00.500 response "r" m in=0 read=0 write=100 1h=100 out=0 think=0`}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestHoldBack: the newest response and all that follows it come at the next
// read, with the final usage; nothing of them shows before.
func TestHoldBack(t *testing.T) {
	first := use("m1", "t1", 1) + "\n" + use("m1", "t2", 5) + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}` + "\n"
	second := use("m2", "t3", 2) + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","is_error":true}]}}` + "\n" +
		`{"type":"user","message":{"content":"go on"}}` + "\n"
	data := []byte(first + second)

	events, next := readAll(data, 0, false)
	want := []string{
		`- response "m1" m in=0 read=0 write=0 out=5 think=0`,
		`- call "t1" Bash succeeded`,
		`- call "t2" Bash pending`,
	}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("first read: -want +got\n%s", diff)
	}
	if next != int64(len(first)) {
		t.Errorf("next read starts at %d, want %d", next, len(first))
	}

	events, next = readAll(data, next, true)
	want = []string{
		`- response "m2" m in=0 read=0 write=0 out=2 think=0`,
		`- call "t3" Bash pending`,
		`- prompt`,
	}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("final read: -want +got\n%s", diff)
	}
	if next != int64(len(data)) {
		t.Errorf("final read ends at %d, want %d", next, len(data))
	}
}

// TestRequestReleasesTheResponseBefore: seen in 2.1.332 on slow streams, where
// the response that crossed the cap was counted one response late.
func TestRequestReleasesTheResponseBefore(t *testing.T) {
	const (
		result  = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]}}` + "\n"
		request = `{"type":"api-request","params":{"model":"m"}}` + "\n"
	)
	for _, c := range []struct {
		name, rest string
		events     int
	}{
		{"the next request was sent", result + request, 2},
		{"no request yet", result, 0},
		{"a call has no result yet", request, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := []byte(use("m1", "t", 5) + "\n" + c.rest)
			events, next := readAll(data, 0, false)
			events = slices.DeleteFunc(events, func(e harness.Event) bool { return e.Held })
			if len(events) != c.events {
				t.Errorf("%d events, want %d", len(events), c.events)
			}
			if counted := next == int64(len(data)); counted != (c.events > 0) {
				t.Errorf("the next read starts at %d of %d", next, len(data))
			}
		})
	}
}

// TestManyRecordsAfterAResponse: what is held back stays bounded.
func TestManyRecordsAfterAResponse(t *testing.T) {
	data := use("m1", "t1", 1) + "\n" + strings.Repeat(`{"type":"user","message":{"content":"x"}}`+"\n", maxHeld/2)
	events, next := readAll([]byte(data), 0, false)
	if next != int64(len(data)) || len(events) != maxHeld/2+2 {
		t.Errorf("%d events, next read at %d; want %d, %d", len(events), next, maxHeld/2+2, len(data))
	}
}

// TestManyBlocksInARecord: blocks that no session has are not all kept.
func TestManyBlocksInARecord(t *testing.T) {
	data := `{"type":"user","message":{"content":[{}` + strings.Repeat(`,{"type":"text","text":"[Request interrupted by user]"}`, 2*maxHeld) + "]}}\n"
	if events, _ := readAll([]byte(data), 0, true); len(events) != maxHeld {
		t.Errorf("%d events, want %d", len(events), maxHeld)
	}
}
