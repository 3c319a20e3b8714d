package claudecode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// ended is the event of a call that ended with a tool_result of these members.
func ended(t *testing.T, members string) harness.Event {
	t.Helper()
	return endedIn(t, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t",`+members+`}]}}`)
}

func endedIn(t *testing.T, record string) harness.Event {
	t.Helper()
	events, _ := readAll([]byte(use("m1", "t", 5)+"\n"+record+"\n"), 0, true)
	if len(events) != 2 || events[1].Kind != harness.ToolCall {
		t.Fatalf("%s: events %v", record, events)
	}
	return events[1]
}

func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		members string
		want    bool
	}{
		{`"is_error":true,"content":"<tool_use_error>Error: No such tool available: X</tool_use_error>"`, true},
		{`"content":"<tool_use_error>Error: No such tool available: X</tool_use_error>","is_error":true`, true},
		{`"is_error":true,"content":[{"type":"text","text":"<tool_use_error>Error: No such tool available: X</tool_use_error>"}]`, true},
		{`"is_error":true,"content":"<tool_use_error>InputValidationError: Bash failed due to the following issue:\nThe required parameter is missing</tool_use_error>"`, true},
		{`"is_error":true,"content":"<tool_use_error>String to replace not found in file.</tool_use_error>"`, false},
		{`"is_error":true,"content":"Exit code 1\nNo such tool available"`, false},
		{`"content":"No such tool available"`, false},
		{`"is_error":true`, false},
	} {
		if got := ended(t, c.members).Invalid; got != c.want {
			t.Errorf("%s: invalid %v, want %v", c.members, got, c.want)
		}
	}
	denied := `{"type":"user","toolDenialKind":"user-rejected","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"InputValidationError"}]}}`
	if endedIn(t, denied).Invalid {
		t.Error("a call that the user refused is invalid")
	}
}

// TestOutput: which results are the same.
func TestOutput(t *testing.T) {
	image := func(data string) string {
		return `"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]`
	}
	saved := func(id, preview string) string {
		return `"content":"<persisted-output>\nOutput too large (106.3KB). Full output saved to: /x/tool-results/` + id + `.txt\n\nPreview (first 2KB):\n` + preview + `\n"`
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`"content":"ok"`, `"content":"ok\n"`, true},
		{`"content":"ok"`, `"content":"no"`, false},
		{`"content":"ok"`, `"content":"ok","is_error":false`, true},
		{`"content":""`, `"is_error":false`, true},
		{`"content":"ok in 0.53s"`, `"content":"ok in 1m2s"`, true},
		{`"content":"3 left"`, `"content":"2 left"`, false},
		{`"is_error":true,"content":"Exit code 1\npid 17"`, `"content":"Exit code 1\npid 18","is_error":true`, true},
		{`"content":[{"type":"text","text":"at 12:00:00"}]`, `"content":[{"type":"text","text":"at 13:00:00"}]`, true},
		{`"content":[{"type":"text","text":"a"}]`, `"content":[{"type":"text","text":"b"}]`, false},
		{image("iVBORw0KGgo"), image("iVBORw0KGgo"), true},
		{image("iVBORw0KGgo"), image("iVBORw0KGgA"), false},
		{saved("bucnop6vb", "1\\n2"), saved("bphxsx6kp", "1\\n2"), true},
		{saved("bucnop6vb", "1\\n2"), saved("bucnop6vb", "1\\n3"), false},
		{`"content":"Full output saved to: /x/a.txt\n"`, `"content":"Full output saved to: /x/b.txt\n"`, false},
	} {
		a, b := ended(t, c.a).Output, ended(t, c.b).Output
		if a == 0 || b == 0 || (a == b) != c.same {
			t.Errorf("%s gives %#x, %s %#x; same: want %v", c.a, a, c.b, b, c.same)
		}
	}
	size := func(n int) uint64 {
		return endedIn(t, fmt.Sprintf(`{"type":"user","toolUseResult":{"persistedOutputSize":%d},"message":{"content":[{"type":"tool_result","tool_use_id":"t",%s}]}}`, n, saved("b", "1"))).Output
	}
	if size(100) == size(101) {
		t.Error("the size of a long output does not count")
	}
	if events, _ := readAll([]byte(use("m1", "t", 5)+"\n"), 0, true); events[1].Output != 0 {
		t.Error("a call without a result has an output")
	}
}

// TestHeld: what is known of the calls that are held back shows at once, and
// changes nothing of the next read.
func TestHeld(t *testing.T) {
	result := func(id, more string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `"` + more + `}]}}` + "\n"
	}
	first := use("m1", "t1", 1) + "\n" + result("t1", "")
	second := use("m2", "t2", 2) + "\n" + use("m2", "t3", 2) + "\n" + use("m2", "t4", 2) + "\n" +
		result("t2", `,"is_error":true,"content":"<tool_use_error>Error: No such tool available: X</tool_use_error>"`) + result("t3", "") +
		`{"type":"user","message":{"content":"go on"}}` + "\n"
	data := []byte(first + second)

	events, next := readAll(data, 0, false)
	want := []string{
		`- response "m1" m in=0 read=0 write=0 out=1 think=0`,
		`- call "t1" Bash succeeded`,
		`- call "t2" Bash failed invalid held`,
		`- call "t3" Bash succeeded held`,
	}
	if diff := cmp.Diff(want, lines(events)); diff != "" || next != int64(len(first)) {
		t.Errorf("next read at %d, want %d; -want +got\n%s", next, len(first), diff)
	}
	again, _ := readAll(data, next, true)
	want = []string{
		`- response "m2" m in=0 read=0 write=0 out=2 think=0`,
		`- call "t2" Bash failed invalid`,
		`- call "t3" Bash succeeded`,
		`- call "t4" Bash pending`,
		`- prompt`,
	}
	if diff := cmp.Diff(want, lines(again)); diff != "" {
		t.Errorf("final read: -want +got\n%s", diff)
	}
	if events[2].Output == 0 || events[2].Output != again[1].Output {
		t.Errorf("held with output %#x, then with %#x", events[2].Output, again[1].Output)
	}
}

// TestHeldResponse: a response whose end is told shows at once, if it has a name,
// and comes again as the same one.
func TestHeldResponse(t *testing.T) {
	record := func(more string) string {
		return `{"type":"assistant","message":{"model":"m","usage":{"output_tokens":7}` + more + `,"content":[{"type":"tool_use","id":"t","name":"Bash"}]}}` + "\n"
	}
	const shown = `- response "m1/0/0/0/7" m in=0 read=0 write=0 out=7 think=0`
	for name, c := range map[string]struct {
		record string
		want   []string
	}{
		"ended":          {record(`,"id":"m1","stop_reason":"tool_use"`), []string{shown + " held"}},
		"still streams":  {record(`,"id":"m1","stop_reason":null`), nil},
		"tells no end":   {record(`,"id":"m1"`), nil},
		"without a name": {record(`,"stop_reason":"tool_use"`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var events []harness.Event
			read := func(final bool) []string {
				events = nil
				r := NewReader(func(e harness.Event) { events = append(events, e) }, harness.Resume{})
				r.Line(0, []byte(c.record))
				if end, _ := r.Close(int64(len(c.record)), final); !final && end != 0 {
					t.Errorf("the next read starts at %d", end)
				}
				return lines(events)
			}
			if diff := cmp.Diff(c.want, read(false)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if again := read(true); len(c.want) > 0 && again[0] != shown {
				t.Errorf("it comes again as %q", again)
			}
		})
	}
}

// detailed reads a whole transcript with details.
func detailed(data []byte) (events []harness.Event) {
	r := NewDetailedReader(func(e harness.Event) { events = append(events, e) }, harness.Resume{})
	feed(r, data)
	return events
}

func feed(r harness.Reader, data []byte) {
	at := int64(0)
	for line := range bytes.Lines(data) {
		r.Line(at, bytes.TrimSuffix(line, []byte("\n")))
		at += int64(len(line))
	}
	r.Close(at, true)
}

// TestDetails: the same events with more to each call.
func TestDetails(t *testing.T) {
	files, _ := filepath.Glob("testdata/transcripts/*/*.jsonl")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain, _ := readAll(data, 0, true)
		events := detailed(data)
		for i, e := range events {
			if e.Kind == harness.ToolCall {
				checkDetail(t, data, e)
			}
			events[i].Detail = nil
		}
		if diff := cmp.Diff(plain, events); diff != "" {
			t.Errorf("%s: plain -, detailed +\n%s", path, diff)
		}
	}
}

func checkDetail(t *testing.T, data []byte, e harness.Event) {
	t.Helper()
	d := e.Detail
	if d == nil || !json.Valid(d.Input) {
		t.Fatalf("%v: detail %+v", e, d)
	}
	line, _, _ := bytes.Cut(data[d.Start:], []byte("\n"))
	if !bytes.Contains(line, []byte(e.ID)) || !bytes.Contains(line, []byte("tool_use")) {
		t.Errorf("%v: line at %d is %.80s", e, d.Start, line)
	}
	if len(d.Text) > shown || e.Result == harness.Failed && d.Text == "" {
		t.Errorf("%v: text %q", e, d.Text)
	}
}

// TestDetailsAreTheHooks: recorded calls have the input that hooks were told.
func TestDetailsAreTheHooks(t *testing.T) {
	inputs := map[string]any{}
	files, _ := filepath.Glob("testdata/transcripts/full/*.jsonl")
	agents, _ := filepath.Glob("testdata/transcripts/full/*/subagents/*.jsonl")
	for _, path := range append(files, agents...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range detailed(data) {
			if e.Detail != nil {
				inputs[e.ID] = parsed(t, e.Detail.Input)
			}
		}
	}
	hooks, _ := filepath.Glob("testdata/hooks/PreToolUse.*.json")
	for _, path := range hooks {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		in := parsed(t, data).(map[string]any)
		if diff := cmp.Diff(in["tool_input"], inputs[in["tool_use_id"].(string)]); diff != "" {
			t.Errorf("%s: hook -, transcript +\n%s", path, diff)
		}
	}
	if len(hooks) < 5 {
		t.Errorf("%d hooks", len(hooks))
	}
}

func parsed(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDetailText(t *testing.T) {
	for content, want := range map[string]string{
		`"hi\n\u00e9"`: "hi\né",
		`[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]`: "ab",
		`"` + strings.Repeat("x", 299) + `é"`:                                      strings.Repeat("x", 299),
		`7`:                                                                        "",
	} {
		data := use("m1", "t", 5) + "\n" + `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":` + content + `}]}}` + "\n"
		if got := detailed([]byte(data))[1].Detail.Text; got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
	}
}
