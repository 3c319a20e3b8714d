package harness

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseInput(t *testing.T) {
	all := `{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","agent_transcript_path":"/a","agent_id":"g",
		"cwd":"/d","prompt_id":"p","turn_id":"u","model":"m","tool_use_id":"c","tool_name":"Bash","tool_input": {"command":"ls"} ,"new":1}`
	want := Input{
		Event: "PreToolUse", Session: "s", Transcript: "/t", AgentTranscript: "/a", Agent: "g", Dir: "/d", PromptID: "p",
		TurnID: "u", Model: "m", ToolUseID: "c", Tool: "Bash", ToolInput: []byte(`{"command":"ls"}`), HasTurn: true,
	}
	got, ok := ParseInput([]byte(all))
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("read %v; -want +got\n%s", ok, diff)
	}
}

// TestParseInputLenient: wrong types read as absent, odd JSON is read, and
// what is no JSON object is not.
func TestParseInputLenient(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      Input
		ok        bool
	}{
		{"wrong types", `{"session_id":7,"transcript_path":null,"tool_name":["Bash"],"cwd":{},"turn_id":3,"cursor_version":null}`, Input{HasTurn: true, Cursor: true}, true},
		{"input of any type", `{"tool_input":"x"}`, Input{ToolInput: []byte(`"x"`)}, true},
		{"escapes", `{"session_id":"a\u0000\ud83d\ude00"}`, Input{Session: "a\x00😀"}, true},
		{"lone surrogate", `{"session_id":"a\ud800"}`, Input{Session: "a\ufffd"}, true},
		{"invalid UTF-8", "{\"session_id\":\"a\xff\"}", Input{Session: "a\ufffd"}, true},
		{"last member counts", `{"session_id":"a","session_id":"b"}`, Input{Session: "b"}, true},
		{"white space", " {}\n", Input{}, true},
		{"empty", ``, Input{}, false},
		{"null", `null`, Input{}, false},
		{"array", `[]`, Input{}, false},
		{"text", `hello`, Input{}, false},
		{"cut", `{"session_id":"a"`, Input{}, false},
		{"two values", `{}{}`, Input{}, false},
		{"deep", `{"tool_input":` + strings.Repeat("[", 100_000), Input{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := ParseInput([]byte(c.raw))
			if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
				t.Errorf("read %v, want %v; -want +got\n%s", ok, c.ok, diff)
			}
		})
	}
}

func TestInputHarness(t *testing.T) {
	for _, c := range []struct {
		in   Input
		want string
	}{
		{Input{}, ClaudeCode},
		{Input{Transcript: "/h/.claude/projects/p/s.jsonl"}, ClaudeCode},
		{Input{Transcript: "/h/rollout-x/s.jsonl"}, ClaudeCode},
		{Input{Transcript: "/h/.codex/sessions/2026/11/30/rollout-x.jsonl"}, Codex},
		{Input{Transcript: `C:\Users\dev\.codex\sessions\2026\11\30\rollout-x.jsonl`}, Codex},
		{Input{HasTurn: true}, Codex},
	} {
		if got := c.in.Harness(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestInputPrompt(t *testing.T) {
	for _, c := range []struct {
		in   Input
		want string
	}{
		{Input{PromptID: "p", TurnID: "t"}, "p"},
		{Input{TurnID: "t"}, "t"},
		{Input{}, ""},
	} {
		if got := c.in.Call().Prompt; got != c.want {
			t.Errorf("%+v: prompt %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzParseInput(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","tool_input":{"a":[1,2.5e3,null]},"turn_id":true}`))
	f.Add([]byte("{\"session_id\":\"\xff\\ud800\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, ok := ParseInput(raw)
		if !ok && !cmp.Equal(in, Input{}) {
			t.Errorf("not read, yet %+v", in)
		}
		in.Harness()
		in.Call()
	})
}
