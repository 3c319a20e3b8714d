package claudecode

import (
	"encoding/json"
	"os"
	"testing"
	"unicode/utf8"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

func recordedCall(t *testing.T, name string) harness.Call {
	t.Helper()
	raw, err := os.ReadFile("testdata/hooks/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	in, ok := harness.ParseInput(raw)
	if !ok {
		t.Fatalf("%s: not read", name)
	}
	if in.Harness() != Name {
		t.Errorf("%s: taken for %s", name, in.Harness())
	}
	return NewCall(in)
}

const (
	sessionID  = "23dbff23-0698-4ed8-b10b-da140d276d39"
	projects   = "/home/dev/.claude/projects/-home-dev-project/"
	mainFile   = projects + sessionID + ".jsonl"
	stoppedLog = projects + sessionID + "/subagents/agent-ab2040e383098a294.jsonl"
)

func TestRecordedCalls(t *testing.T) {
	base := harness.Call{
		Session: sessionID, Agent: "main", Transcript: mainFile, Dir: "/home/dev/project",
		Prompt: "cae015e7-3a89-4686-b9cf-6a82ed342ceb", Mode: "acceptEdits",
	}
	for name, change := range map[string]func(*harness.Call){
		"PreToolUse.Bash": func(c *harness.Call) {
			c.Event, c.Tool, c.Short, c.ToolUseID = harness.PreToolUse, "Bash", "bash", "toolu_scripted00000001"
		},
		"PreToolUse.Bash.subagent": func(c *harness.Call) {
			c.Event, c.Tool, c.Short, c.ToolUseID = harness.PreToolUse, "Bash", "bash", "toolu_scripted00000020"
			c.Agent, c.Sub = "ab2040e383098a294", true
		},
		"UserPromptSubmit": func(c *harness.Call) { c.Event, c.Typed = harness.UserPromptSubmit, "Do the scripted task" },
		"Stop":             func(c *harness.Call) { c.Event = harness.Stop },
		"SubagentStop": func(c *harness.Call) {
			c.Event, c.Agent, c.AgentFile, c.Sub = harness.SubagentStop, "ab2040e383098a294", stoppedLog, true
		},
		"SessionEnd": func(c *harness.Call) {
			c.Event, c.Prompt = harness.SessionEnd, "28a402ae-aa6e-43f3-8ad2-5f776f7e6e31" // sent after the last prompt ended
			c.Mode = ""
		},
	} {
		want := base
		change(&want)
		got := recordedCall(t, name)
		if hasInput := want.Tool != ""; json.Valid(got.Input) != hasInput {
			t.Errorf("%s: input %q", name, got.Input)
		}
		got.Input = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestMainTranscript(t *testing.T) {
	for path, want := range map[string]string{
		"":                             "",
		"/p/s.jsonl":                   "/p/s.jsonl",
		"/p/s/subagents/agent-a.jsonl": "/p/s.jsonl",
		"/p/s/subagents/workflows/w/agent-a.jsonl": "/p/s.jsonl",
		"/p/s/subagents/a/b/c/agent-a.jsonl":       "/p/s/subagents/a/b/c/agent-a.jsonl",
		"/p/agent-a.jsonl":                         "/p/agent-a.jsonl",
		"/p/s/subagents/notes.jsonl":               "/p/s/subagents/notes.jsonl",
	} {
		if got := NewCall(harness.Input{Transcript: path}).Transcript; got != want {
			t.Errorf("transcript of %s: %s, want %s", path, got, want)
		}
	}
}

func TestShortName(t *testing.T) {
	for tool, want := range map[string]string{"": "", "Bash": "bash", "mcp__browser__press_key": "press_key", "mcp__a__b__C": "c", "a__": ""} {
		if got := ShortName(tool); got != want {
			t.Errorf("ShortName(%q) = %q, want %q", tool, got, want)
		}
	}
}

func TestAnswer(t *testing.T) {
	const deny = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}`
	for _, c := range []struct {
		name   string
		answer harness.Answer
		want   string
	}{
		{"nothing", harness.Answer{}, ""},
		{"message", harness.Answer{Message: "m <&>\n"}, `{"systemMessage":"m <&>\n"}`},
		{"deny", harness.Answer{Decision: harness.Deny, Reason: "r"}, deny + `}`},
		{"deny and tell", harness.Answer{Decision: harness.Deny, Reason: "r", Message: "m"}, deny + `,"systemMessage":"m"}`},
		{"end the turn", harness.Answer{Decision: harness.Deny, Reason: "r", Message: "m", EndTurn: true}, deny + `,"continue":false,"stopReason":"m","systemMessage":"m"}`},
		{"end the turn without a message", harness.Answer{Decision: harness.Deny, Reason: "r", EndTurn: true}, deny + `,"continue":false,"stopReason":"r"}`},
		{"deny without a reason", harness.Answer{Decision: harness.Deny}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":""}}`},
		{"ask", harness.Answer{Decision: harness.Ask, Reason: "r", Message: "m", EndTurn: true}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"},"systemMessage":"m"}`},
		{"a pass ends no turn", harness.Answer{Reason: "r", EndTurn: true}, ""},
		{"invalid UTF-8", harness.Answer{Message: "a\xff"}, "{\"systemMessage\":\"a\ufffd\"}"},
	} {
		if got := string(Answer(c.answer, harness.PreToolUse)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, event := range []string{harness.Stop, harness.SessionEnd, "", "Mystery"} {
		if got := Answer(harness.Answer{Decision: harness.Deny, Reason: "r"}, event); got != nil {
			t.Errorf("%s is answered: %s", event, got)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("reason", "message", uint8(2), true)
	f.Fuzz(func(t *testing.T, reason, message string, decision uint8, end bool) {
		got := Answer(harness.Answer{Decision: harness.Decision(decision % 3), Reason: reason, Message: message, EndTurn: end}, harness.PreToolUse)
		if got != nil && !(json.Valid(got) && utf8.Valid(got)) {
			t.Fatalf("not JSON: %q", got)
		}
	})
}
