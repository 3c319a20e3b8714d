package codex

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

// calls are the tool calls of lines that are read as one rollout.
func calls(text ...string) (found []harness.Event) {
	data := []byte(strings.Join(text, "\n") + "\n")
	events, _, _ := readAll(data, 0, harness.Resume{Records: hasRecordMark(data)}, true)
	for _, e := range events {
		if e.Kind == harness.ToolCall {
			found = append(found, e)
		}
	}
	return found
}

// gaveBlocks is an output of blocks of text.
func gaveBlocks(id string, texts ...string) string {
	var blocks []string
	for _, t := range texts {
		blocks = append(blocks, fmt.Sprintf(`{"type":"input_text","text":%q}`, t))
	}
	return fmt.Sprintf(`{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":%q,"output":[%s]}}`, id, strings.Join(blocks, ","))
}

func logged(item string) string {
	return `{"type":"event_msg","payload":{"type":"item_completed","item":` + item + `}}`
}

func TestInvalid(t *testing.T) {
	const script = "Script failed\nWall time 0.0 seconds\nOutput:\n"
	for _, c := range []struct {
		output string
		want   string
	}{
		{gave("c", "unsupported call: x"), "failed invalid"},
		{gave("c", "unsupported custom tool call: x"), "failed invalid"},
		{gave("c", "failed to parse function arguments: missing field `cmd` at line 1 column 12"), "failed invalid"},
		{gave("c", "apply_patch verification failed: invalid patch: no first line"), "failed invalid"},
		{gave("c", "apply_patch verification failed: Failed to read file to update /x"), "failed"},
		{gave("c", "write_stdin failed: Unknown process id 77"), "failed"},
		{gaveBlocks("c", "Wall time: 0.0004 seconds\nOutput:", "err: EOF while parsing a value at line 1 column 5"), "failed invalid"},
		{gaveBlocks("c", "Wall time: 0.0004 seconds\nOutput:", "err: no such row"), "succeeded"},
		{gaveBlocks("c", script, "Script error:\nTypeError: tools.nosuch is not a function\n    at exec_main.mjs:1:13"), "failed invalid"},
		{gaveBlocks("c", script, "Script error:\nTypeError: x is not a function"), "failed"},
		{gaveBlocks("c", script, "Script error:\ntool `exec_command` expects a JSON object for arguments"), "failed invalid"},
		{gaveBlocks("c", script, "Script error:\nSyntaxError: Unexpected token '='"), "failed invalid"},
		{gaveBlocks("c", script, "Script error:\nError: unsupported call: x"), "failed"},
		{gave("c", "Process exited with code 0\nOutput:\nunsupported call: x"), "succeeded"},
		{gave("c", `{"output":"unsupported call: x","metadata":{"exit_code":0}}`), "succeeded"},
	} {
		got := calls(turn, use("view_image", "c"), used, c.output)[0]
		if got.String() != `- call "c" view_image `+c.want {
			t.Errorf("%s: %v, want %s", c.output, got, c.want)
		}
	}
}

// TestOutput: which results are the same.
func TestOutput(t *testing.T) {
	chunk := func(id, wall, text string) string {
		return gave("c", "Chunk ID: "+id+"\nWall time: "+wall+" seconds\nProcess exited with code 0\nOriginal token count: 7\nOutput:\n"+text)
	}
	operation := func(members string) string {
		return logged(`{"id":"exec-1",` + members + `}`)
	}
	command := func(members string) string { return operation(`"type":"CommandExecution",` + members) }
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{chunk("62e618", "0.9305", "hi\n"), chunk("1284fb", "12.0000", "hi\n"), true},
		{chunk("62e618", "0.9305", "hi\n"), chunk("62e618", "0.9305", "ho\n"), false},
		{chunk("62e618", "0.9305", "at 12:00:00"), chunk("62e618", "0.9305", "at 13:00:01"), true},
		{chunk("1", "1", "Output:\na"), chunk("2", "2", "Output:\na"), true},
		{gave("c", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\na"), gave("c", "Exit code: 0\nWall time: 2 seconds\nOutput:\na"), true},
		{gave("c", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nline 7"), gave("c", "Exit code: 1\nWall time: 2 seconds\nOutput:\nline 9"), true},
		{gave("c", "Exit code: 0\nOutput:\nline 7"), gave("c", "Exit code: 0\nOutput:\nline 9"), false},
		{gave("c", ""), gave("c", "\n"), true},
		{gave("c", `{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.1}}`), gave("c", `{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.2}}`), true},
		{gave("c", `{"output":"a","metadata":{"exit_code":0}}`), gave("c", `{"output":"b","metadata":{"exit_code":0}}`), false},
		{gaveBlocks("c", "Wall time: 0.0523 seconds\nOutput:", "a"), gaveBlocks("c", "Wall time: 0.1 seconds\nOutput:", "a"), true},
		{gaveBlocks("c", "Wall time: 0.0523 seconds\nOutput:", "a"), gaveBlocks("c", "Wall time: 0.0523 seconds\nOutput:", "b"), false},
		{command(`"aggregated_output":"a\n","status":"completed"`), command(`"aggregated_output":"a","status":"completed","duration":{"secs":9}`), true},
		{command(`"aggregated_output":"a"`), command(`"aggregated_output":"b"`), false},
		{command(`"aggregated_output":"7","exit_code":1`), command(`"exit_code":1,"aggregated_output":"8"`), true},
		{command(`"stdout":"a","stderr":"b"`), command(`"stdout":"a","stderr":"c"`), false},
		{operation(`"type":"McpToolCall","server":"s","tool":"t","result":{"content":[{"type":"text","text":"a"}]}`), operation(`"type":"McpToolCall","server":"s","tool":"t","result":{"content":[{"type":"text","text":"b"}]}`), false},
		{operation(`"type":"McpToolCall","server":"s","tool":"t","status":"failed","error":{"message":"row 7"}`), operation(`"type":"McpToolCall","server":"s","tool":"t","status":"failed","error":{"message":"row 8"}`), true},
	} {
		a, b := last(calls(turn, use("exec_command", "c"), used, c.a)), last(calls(turn, use("exec_command", "c"), used, c.b))
		if a.Output == 0 || b.Output == 0 || (a.Output == b.Output) != c.same {
			t.Errorf("%s gives %#x, %s %#x; same: want %v", c.a, a.Output, c.b, b.Output, c.same)
		}
	}
	if e := calls(turn, use("exec_command", "c"), used)[0]; e.Output != 0 {
		t.Error("a call without an output has one")
	}
}

func last(events []harness.Event) harness.Event { return events[len(events)-1] }

// TestOutputOfAFailure: that an MCP tool failed is told by its log entry alone,
// before the output or after it.
func TestOutputOfAFailure(t *testing.T) {
	give := func(row string, swap bool) harness.Event {
		entry := logged(`{"type":"McpToolCall","id":"call_1","server":"s","tool":"t","status":"failed","result":{"content":[{"type":"text","text":"row ` + row + `"}]}}`)
		output := gaveBlocks("call_1", "Wall time: 0.1 seconds\nOutput:", "row "+row)
		if swap {
			entry, output = output, entry
		}
		return calls(turn, use("mcp__s__t", "call_1"), used, entry, output)[0]
	}
	for _, swap := range []bool{false, true} {
		a, b := give("7", swap), give("8", swap)
		if a.Result != harness.Failed || a.Output == 0 || a.Output != b.Output {
			t.Errorf("%v with %#x, and with %#x", a, a.Output, b.Output)
		}
	}
}

// TestHeld: what is known of the calls that are held back shows at once, and
// changes nothing of the next read.
func TestHeld(t *testing.T) {
	first := strings.Join([]string{turn, thought, use("exec_command", "a"), count(10, 5), gave("a", "x")}, "\n") + "\n"
	second := strings.Join([]string{
		thought, use("exec_command", "b"), use("nosuch", "c"), use("exec_command", "d"), count(20, 6),
		strings.ReplaceAll(turn, `"m"`, `"n"`), gave("b", "x"), gave("c", "unsupported call: nosuch"),
		logged(`{"type":"CommandExecution","id":"exec-1","status":"completed","aggregated_output":"x"}`),
	}, "\n") + "\n"
	data := []byte(first + second)

	events, next, r := readAll(data, 0, harness.Resume{}, false)
	want := []string{
		`- response "" m in=5 read=0 write=0 out=0 think=0`,
		`- call "a" exec_command succeeded`,
		`- call "b" exec_command succeeded held`,
		`- call "c" nosuch failed invalid held`,
		`- call "exec-1" exec_command succeeded held`,
	}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("first read: -want +got\n%s", diff)
	}
	total := int64(10)
	if diff := cmp.Diff(harness.Resume{Model: "m", Total: &total}, r); diff != "" || next != int64(len(first)) {
		t.Errorf("next read at %d, want %d; remembered: -want +got\n%s", next, len(first), diff)
	}
	again, _, _ := readAll(data, next, r, true)
	want = []string{
		`- response "" m in=6 read=0 write=0 out=0 think=0`,
		`- call "b" exec_command succeeded`,
		`- call "c" nosuch failed invalid`,
		`- call "d" exec_command pending`,
		`- call "exec-1" exec_command succeeded`,
	}
	if diff := cmp.Diff(want, lines(again)); diff != "" {
		t.Errorf("final read: -want +got\n%s", diff)
	}
	if events[2].Output == 0 || events[2].Output != again[1].Output {
		t.Errorf("held with output %#x, then with %#x", events[2].Output, again[1].Output)
	}
}

// detailed reads a whole rollout with details.
func detailed(data []byte) (events []harness.Event) {
	remembered := harness.Resume{Records: hasRecordMark(data)}
	r := NewDetailedReader(func(e harness.Event) { events = append(events, e) }, remembered)
	at := int64(0)
	for line := range bytes.Lines(data) {
		r.Line(at, bytes.TrimSuffix(line, []byte("\n")))
		at += int64(len(line))
	}
	r.Close(at, true)
	return events
}

// TestDetails: the same events, with more to each call and the tool as hooks
// name it.
func TestDetails(t *testing.T) {
	files, _ := filepath.Glob("testdata/rollouts/*/*.jsonl")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain, _, _ := readAll(data, 0, harness.Resume{Records: hasRecordMark(data)}, true)
		events := detailed(data)
		for i, e := range events {
			if e.Kind != harness.ToolCall {
				continue
			}
			line, _, _ := bytes.Cut(data[e.Detail.Start:], []byte("\n"))
			if !bytes.Contains(line, []byte(e.ID)) {
				t.Errorf("%v: line at %d is %.80s", e, e.Detail.Start, line)
			}
			events[i].Detail, events[i].Tool = nil, plain[i].Tool
		}
		if diff := cmp.Diff(plain, events); diff != "" {
			t.Errorf("%s: plain -, detailed +\n%s", path, diff)
		}
	}
}

// recordedDetails are the details of the calls in the recordings that match.
func recordedDetails(t *testing.T, pattern string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, _ := filepath.Glob(pattern)
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range detailed(data) {
			if e.Detail != nil {
				found[e.ID] = e.Tool + " " + compact(t, e.Detail.Input)
			}
		}
	}
	return found
}

func compact(t *testing.T, value []byte) string {
	t.Helper()
	if value == nil {
		return "unknown"
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDetailsAreTheHooks: recorded calls have the names and inputs that hooks
// were told.
func TestDetailsAreTheHooks(t *testing.T) {
	hooks, _ := filepath.Glob("testdata/hooks/PreToolUse.*.json")
	if len(hooks) < 5 {
		t.Fatalf("%d hooks", len(hooks))
	}
	for _, path := range hooks {
		var in struct {
			Transcript string          `json:"transcript_path"`
			Tool       string          `json:"tool_name"`
			Input      json.RawMessage `json:"tool_input"`
			ID         string          `json:"tool_use_id"`
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &in)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := in.Tool + " " + compact(t, in.Input)
		got := recordedDetails(t, "testdata/rollouts/*/"+filepath.Base(in.Transcript))
		if got[in.ID] != want {
			t.Errorf("%s: %s, want %s", path, got[in.ID], want)
		}
	}
}

// TestDetailsOfScripts: what hooks were told when invalid-calls and
// invalid-scripts were recorded.
func TestDetailsOfScripts(t *testing.T) {
	for pattern, want := range map[string]map[string]string{
		"testdata/rollouts/invalid-calls/*.jsonl": {
			"call_00000051": `view_image {}`,
			"call_00000055": `view_image {"path":"/nonexist.png"}`,
			"call_00000071": `collaborationspawn_agent {"x":1}`,
			"call_00000081": `Bash {"command":"echo hi; sleep 1; date"}`,
		},
		"testdata/rollouts/invalid-scripts/*.jsonl": {
			"call_00000007": `Bash {"command":"echo plain"}`,
			"exec-892d6b89-d9d7-4d85-8518-2d2b97f56eb7": `Bash {"command":"echo one; date"}`,
			"exec-e8314778-4a30-4b57-b482-90500081a961": `Bash {"command":"echo two \u003e\u00262; exit 4"}`,
			"exec-24de4483-c420-4a0a-a5dd-24769bd15dc5": `apply_patch unknown`, // hooks were told the patch
		},
	} {
		got := recordedDetails(t, pattern)
		for id, detail := range want {
			if got[id] != detail {
				t.Errorf("%s: %s, want %s", id, got[id], detail)
			}
		}
	}
}

func TestDetailInput(t *testing.T) {
	call := func(members string) string {
		return `{"type":"response_item","payload":{"call_id":"c",` + members + `}}`
	}
	for line, want := range map[string]string{
		call(`"type":"function_call","name":"look_up","namespace":"mcp__fix","arguments":"{\"q\":\"x\"}"`):             `mcp__fix__look_up {"q":"x"}`,
		call(`"type":"function_call","name":"look_up","namespace":"mcp__fix","arguments":"{\"q\":"`):                   `mcp__fix__look_up "{\"q\":"`,
		call(`"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls | wc\"]}"`):       `Bash {"command":"ls | wc"}`,
		call(`"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\",\"x\"]}"`):                       `Bash {"command":"ls x"}`,
		call(`"type":"function_call","name":"shell_command","arguments":"{\"command\":\"ls\"}"`):                       `Bash {"command":"ls"}`,
		call(`"type":"local_shell_call","action":{"type":"exec","command":["bash","-lc","ls"]}`):                       `Bash {"command":"ls"}`,
		call(`"type":"function_call","name":"apply_patch","arguments":"{\"input\":\"*** Begin Patch\"}"`):              `apply_patch {"command":"*** Begin Patch"}`,
		call(`"type":"custom_tool_call","name":"exec","input":"text(1)"`):                                              `exec "text(1)"`,
		call(`"type":"function_call","name":"exec_command"`):                                                           `Bash {"command":""}`,
		call(`"type":"function_call","name":"view_image"`):                                                             `view_image unknown`,
		logged(`{"type":"McpToolCall","id":"o","server":"fix","tool":"look_up","arguments":{"q":1}}`):                  `mcp__fix__look_up {"q":1}`,
		logged(`{"type":"CommandExecution","id":"o","command":["/bin/bash","-lc","make"],"aggregated_output":"done"}`): `Bash {"command":"make"}`,
	} {
		e := last(detailed([]byte(line + "\n")))
		if got := e.Tool + " " + compact(t, e.Detail.Input); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestDetailText(t *testing.T) {
	for output, want := range map[string]string{
		gave("c", "hi\né"):                        "hi\né",
		gave("c", strings.Repeat("x", 299)+"é"):   strings.Repeat("x", 299),
		gaveBlocks("c", "a", "b"):                 "a\nb",
		gave("c", `{"output":"a","metadata":{}}`): "a",
	} {
		e := detailed([]byte(strings.Join([]string{turn, use("exec_command", "c"), output}, "\n") + "\n"))[0]
		if e.Detail.Text != want {
			t.Errorf("%s: %q, want %q", output, e.Detail.Text, want)
		}
	}
	for item, want := range map[string]string{
		`{"type":"CommandExecution","id":"o","aggregated_output":"` + strings.Repeat("x", 400) + `"}`:               strings.Repeat("x", 300),
		`{"type":"McpToolCall","id":"o","server":"s","tool":"t","status":"failed","error":{"message":"no"}}`:        `{"message":"no"}`,
		`{"type":"McpToolCall","id":"o","server":"s","tool":"t","result":{"content":[{"type":"text","text":"a"}]}}`: "a",
	} {
		if e := detailed([]byte(logged(item) + "\n"))[0]; e.Detail.Text != want {
			t.Errorf("%s: %q, want %q", item, e.Detail.Text, want)
		}
	}
}
