package codex

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/golden"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func lines(events []harness.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.String())
	}
	return out
}

// readAll reads data on from an offset, with what was remembered there.
func readAll(data []byte, from int64, remembered harness.Resume, final bool) (events []harness.Event, next int64, r harness.Resume) {
	rd := NewReader(func(e harness.Event) { events = append(events, e) }, remembered)
	at := from
	for {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			next, r = rd.Close(at, final)
			return events, next, r
		}
		rd.Line(at, data[at:at+int64(i)])
		at += int64(i) + 1
	}
}

// whole reads lines as one rollout, from start to end.
func whole(text ...string) []string {
	data := []byte(strings.Join(text, "\n") + "\n")
	events, _, _ := readAll(data, 0, harness.Resume{Records: hasRecordMark(data)}, true)
	return lines(events)
}

// TestRecordedRollouts holds the events of whole recorded sessions. They were
// checked against the reference program, see testdata/README.md.
func TestRecordedRollouts(t *testing.T) {
	files, _ := filepath.Glob("testdata/rollouts/*/*.jsonl")
	if len(files) != 11 {
		t.Fatalf("found %d rollouts, want 11", len(files))
	}
	for _, path := range files {
		name := strings.Split(filepath.ToSlash(path), "/")[2]
		if strings.HasSuffix(path, "76289f66dea.jsonl") {
			name += "-child"
		}
		t.Run(name, func(t *testing.T) {
			remembered, err := Prepare(path, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			var events []harness.Event
			r := NewReader(func(e harness.Event) { events = append(events, e) }, remembered)
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

// Lines of a rollout.
const (
	turn     = `{"type":"turn_context","payload":{"model":"m"}}`
	used     = `{"type":"token_usage_record","payload":{"response_id":"r1","usage":{"input_tokens":10,"output_tokens":1}}}`
	response = `- response "r1" m in=10 read=0 write=0 out=1 think=0`
	thought  = `{"type":"response_item","payload":{"type":"reasoning","summary":[]}}`
)

func count(total, input int) string {
	return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d}}}}`, total, input)
}

func use(tool, id string) string {
	return fmt.Sprintf(`{"type":"response_item","payload":{"type":"function_call","name":%q,"call_id":%q,"arguments":"{}"}}`, tool, id)
}

func gave(id, text string) string {
	return fmt.Sprintf(`{"type":"response_item","payload":{"type":"function_call_output","call_id":%q,"output":%q}}`, id, text)
}

func TestOutputs(t *testing.T) {
	for _, c := range []struct{ name, tool, text, want string }{
		{"fine", "exec_command", "fine", "succeeded"},
		{"exit 0, the command prints a code", "exec_command", "Chunk ID: 1\nProcess exited with code 0\nOutput:\nExit code: 1", "succeeded"},
		{"exit 1", "exec_command", "Exit code: 1\nWall time: 1\nOutput:\nboom", "failed"},
		{"exit -1", "shell", "Exit code: -1", "failed"},
		{"exit 2", "exec_command", "Process exited with code 2\nboom", "failed"},
		{"a patch", "apply_patch", "Exit code: 1\nOutput:\nno such line", "failed"},
		{"words of another tool", "view_image", "Exit code: 1", "succeeded"},
		{"words in a line", "exec_command", "the Exit code: 1", "succeeded"},
		{"no number", "exec_command", "Exit code: x\nExit code: 3", "failed"},
		{"far below", "exec_command", strings.Repeat("é", 2000) + "\nExit code: 1", "succeeded"},
		{"legacy", "shell", `{"output":"x","metadata":{"exit_code":3}}`, "failed"},
		{"legacy 0", "shell", `{"output":"Exit code: 1","metadata":{"exit_code":0}}`, "succeeded"},
		{"legacy without a code", "shell", `{"output":"Exit code: 1","metadata":{}}`, "failed"},
		{"legacy of another tool", "view_image", `{"output":"x","metadata":{"exit_code":3}}`, "failed"},
		{"JSON that is not legacy", "shell", `{"metadata":{"exit_code":3}}`, "succeeded"},
		{"script", "view_image", "Script failed: boom", "failed"},
		{"user said no", "exec_command", "exec command rejected by user", "refused"},
		{"user said no to a patch", "apply_patch", "patch rejected by user", "refused"},
		{"user stopped it", "exec_command", "aborted by user after 1s", "refused"},
		{"stopped", "exec_command", " aborted\n", "refused"},
		{"configuration", "exec_command", "rejected by configuration", "neutral"},
		{"reviewer", "exec_command", "automatic approval review denied the action", "neutral"},
		{"another hook", "exec_command", "Command blocked by PreToolUse hook: no. Command: ls", "neutral"},
		{"words below", "exec_command", strings.Repeat(".", 200) + "exec command rejected by user", "succeeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := []string{response, `- call "c" ` + c.tool + " " + c.want}
			if diff := cmp.Diff(want, whole(turn, use(c.tool, "c"), used, gave("c", c.text))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestEvents(t *testing.T) {
	const (
		prompt = `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}}`
		meta   = `{"type":"session_meta","payload":{"id":"a","source":%s}}`
	)
	message := func(role, text string) string {
		return fmt.Sprintf(`{"type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"text","text":%q}]}}`, role, text)
	}
	completed := func(item string) string {
		return `{"type":"event_msg","payload":{"type":"item_completed","item":` + item + `}}`
	}
	exec := func(id string) string {
		return fmt.Sprintf(`{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":%q,"input":"x"}}`, id)
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"typed", []string{prompt}, []string{"- prompt"}},
		{"environment", []string{message("user", "<environment_context>\nx\n</environment_context>\n")}, nil},
		{"AGENTS.md", []string{message("user", " # AGENTS.md instructions for /x")}, nil},
		{"a tag of the user's", []string{message("user", "<div> is broken")}, []string{"- prompt"}},
		{"another end tag", []string{message("user", "<a>x</b>")}, []string{"- prompt"}},
		{"a heading of the user's", []string{message("user", "# AGENTS")}, []string{"- prompt"}},
		{"developer", []string{message("developer", "x")}, nil},
		{"in a review", []string{fmt.Sprintf(meta, `{"subagent":"review"}`), prompt}, nil},
		{"in a spawned agent", []string{fmt.Sprintf(meta, `{"subagent":{"thread_spawn":{}}}`), prompt}, []string{"- prompt"}},
		{"in a terminal", []string{fmt.Sprintf(meta, `"cli"`), prompt}, []string{"- prompt"}},
		{"stopped turn", []string{`{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`}, []string{"- interrupt"}},
		{"compacted", []string{`{"type":"compacted","payload":{"message":"x"}}`}, nil},
		{"model changed in a turn", []string{`{"type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"model":"m"}}}`, used}, []string{response}},
		{"response before its calls", []string{turn, thought, use("a", "1"), use("b", "2"), used}, []string{response, `- call "1" a pending`, `- call "2" b pending`}},
		{"response id twice", []string{turn, used, used}, []string{response}},
		{"compaction's own response", []string{turn, used, strings.ReplaceAll(used, `"r1"`, `"r2"`)}, []string{response, strings.ReplaceAll(response, `"r1"`, `"r2"`)}},
		{"records beat token counts", []string{turn, count(10, 10), used, count(20, 10)}, []string{response}},
		{"token counts", []string{turn, count(10, 5), count(10, 5), count(20, 6)}, []string{
			`- response "" m in=5 read=0 write=0 out=0 think=0`, `- response "" m in=6 read=0 write=0 out=0 think=0`,
		}},
		{"token count without info", []string{turn, `{"type":"event_msg","payload":{"type":"token_count","info":null}}`}, nil},
		{"cached and written are part of input", []string{turn, strings.Replace(used, `"input_tokens":10`, `"input_tokens":100,"cached_input_tokens":40,"cache_write_input_tokens":30,"reasoning_output_tokens":5`, 1)}, []string{
			`- response "r1" m in=30 read=40 write=30 out=1 think=5`,
		}},
		{"more cached than input", []string{turn, strings.Replace(used, `"input_tokens":10`, `"input_tokens":10,"cached_input_tokens":40`, 1)}, []string{
			`- response "r1" m in=0 read=40 write=0 out=1 think=0`,
		}},
		{"direct call's log entry", []string{use("exec_command", "c"), completed(`{"type":"CommandExecution","id":"c","status":"failed"}`), gave("c", "x")}, []string{`- call "c" exec_command failed`}},
		{"log entry after the output", []string{use("view_image", "c"), gave("c", "x"), completed(`{"type":"ImageView","id":"c","status":"failed"}`)}, []string{`- call "c" view_image failed`}},
		{"script and its operations", []string{
			exec("s"), completed(`{"type":"CommandExecution","id":"o1","status":"completed","exit_code":2}`),
			completed(`{"type":"FileChange","id":"o2","status":"completed"}`), completed(`{"type":"McpToolCall","id":"o3","server":"x","tool":"y","status":"declined"}`), gave("s", "done"),
		}, []string{
			`- call "o1" exec_command failed`, `- call "o2" apply_patch succeeded`, `- call "o3" mcp__x__y pending`,
		}},
		{"script without operations", []string{exec("s"), gave("s", "Script failed")}, []string{`- call "s" exec failed`}},
		{"script that was denied", []string{exec("s"), completed(`{"type":"ImageView","id":"o"}`), gave("s", "rejected by configuration")}, []string{
			`- call "s" exec neutral`, `- call "o" view_image succeeded`,
		}},
		{"script still running", []string{exec("s"), completed(`{"type":"Extension","kind":"web_run","id":"o","status":"failed"}`)}, []string{`- call "o" web_run failed`}},
		{"operation that the user refused", []string{completed(`{"type":"CommandExecution","id":"o","status":"failed","stderr":"exec command rejected by user"}`)}, []string{`- call "o" exec_command refused`}},
		{"refused by an MCP server's text", []string{completed(`{"type":"McpToolCall","id":"o","server":"x","tool":"y","result":{"content":[{"type":"text","text":"rejected by configuration"}]}}`)}, []string{`- call "o" mcp__x__y neutral`}},
		{"message entries are no operations", []string{completed(`{"type":"AgentMessage","id":"o"}`)}, nil},
		{"namespace", []string{`{"type":"response_item","payload":{"type":"function_call","name":"spawn_agent","namespace":"collaboration","call_id":"c"}}`}, []string{`- call "c" collaboration__spawn_agent pending`}},
		{"web search", []string{`{"type":"response_item","payload":{"type":"web_search_call","id":"w","status":"completed"}}`}, []string{`- call "w" web_search_call succeeded`}},
		{"local shell", []string{`{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c"}}`, `{"type":"response_item","payload":{"type":"local_shell_call_output","call_id":"c","output":[{"text":"a"},{"text":"Exit code: 1"}]}}`}, []string{`- call "c" local_shell_call failed`}},
		{"noise", []string{"{broken", "[]", "", "42", `{"no":"type"}`, `{"type":"mystery","payload":{}}`, `{"type":"response_item","payload":7}`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, whole(c.lines...)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestHoldBack: the newest response and all that follows it come at the next
// read; what is remembered is what held where that one starts.
func TestHoldBack(t *testing.T) {
	first := strings.Join([]string{turn, thought, use("exec_command", "a"), count(10, 5), gave("a", "x")}, "\n") + "\n"
	second := strings.Join([]string{thought, use("exec_command", "b"), count(20, 6), strings.ReplaceAll(turn, `"m"`, `"n"`), count(20, 6)}, "\n") + "\n"
	data := []byte(first + second)

	events, next, r := readAll(data, 0, harness.Resume{}, false)
	want := []string{`- response "" m in=5 read=0 write=0 out=0 think=0`, `- call "a" exec_command succeeded`}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("first read: -want +got\n%s", diff)
	}
	total := int64(10)
	if diff := cmp.Diff(harness.Resume{Model: "m", Total: &total}, r); diff != "" || next != int64(len(first)) {
		t.Errorf("next read at %d, want %d; remembered: -want +got\n%s", next, len(first), diff)
	}

	events, next, r = readAll(data, next, r, true)
	want = []string{`- response "" m in=6 read=0 write=0 out=0 think=0`, `- call "b" exec_command pending`}
	if diff := cmp.Diff(want, lines(events)); diff != "" {
		t.Errorf("final read: -want +got\n%s", diff)
	}
	total = 20
	if diff := cmp.Diff(harness.Resume{Model: "n", Total: &total}, r); diff != "" || next != int64(len(data)) {
		t.Errorf("final read ends at %d, want %d; remembered: -want +got\n%s", next, len(data), diff)
	}
}

// TestPrepare: whether a file has token_usage_record lines is known before
// they are reached, and is never forgotten; what nobody remembered is found.
func TestPrepare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout-x.jsonl")
	old := strings.Join([]string{turn, count(7, 7), `{"type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"model":"n"}}}`}, "\n") + "\n"
	later := strings.Repeat(thought+"\n", 9000) + `{"payload":{}, "type" : "token_usage_record"}` + "\n"
	if err := os.WriteFile(path, []byte(old+later), 0o600); err != nil {
		t.Fatal(err)
	}
	seven, offset := int64(7), int64(len(old))
	for _, c := range []struct {
		name       string
		offset     int64
		remembered *harness.Resume
		want       harness.Resume
	}{
		{"new file", 0, nil, harness.Resume{Records: true}},
		{"nothing remembered", offset, nil, harness.Resume{Model: "n", Records: true, Total: &seven}},
		{"remembered", offset, &harness.Resume{Model: "k"}, harness.Resume{Model: "k", Records: true}},
		{"remembered, at the end", offset + int64(len(later)), &harness.Resume{Model: "k"}, harness.Resume{Model: "k"}},
		{"remembered records, at the end", offset + int64(len(later)), &harness.Resume{Records: true}, harness.Resume{Records: true}},
		{"nothing remembered, at the end", offset + int64(len(later)), nil, harness.Resume{Model: "n", Records: true, Total: &seven}},
	} {
		got, err := Prepare(path, c.offset, c.remembered)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
	if _, err := Prepare(path+"x", 0, nil); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func TestRecordMark(t *testing.T) {
	for text, want := range map[string]bool{
		`{"type":"token_usage_record"}`:                          true,
		"{\"type\" :\n\t\"token_usage_record\"}":                 true,
		`{"x":"token_usage_record","type":"token_usage_record"}`: true,
		`{"x":"token_usage_record"}`:                             false,
		`{"text":"\"type\":\"token_usage_record\""}`:             false,
		`{"type","token_usage_record"}`:                          false,
		`token_usage_record`:                                     false,
		`{"type":"token_usage_recor`:                             false,
		`"token_usage_record""token_usage_record"`:               false,
	} {
		if got := hasRecordMark([]byte(text)); got != want {
			t.Errorf("hasRecordMark(%s) = %v", text, got)
		}
	}
}
