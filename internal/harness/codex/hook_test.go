package codex

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

const (
	day       = "/home/dev/.codex/sessions/2026/11/30/"
	fullFile  = day + "rollout-2026-11-30T10-19-01-01a22bf7-11ae-7672-a566-f60b5df50388.jsonl"
	rootFile  = day + "rollout-2026-11-30T10-44-07-01a22c0e-0a5c-79e1-95d4-4ebf9626975e.jsonl"
	childFile = day + "rollout-2026-11-30T10-44-09-01a22c0e-136f-7102-aed9-476289f66dea.jsonl"
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

// TestRecordedCalls: the agent a call belongs to is the one whose rollout holds
// it, in a subagent too.
func TestRecordedCalls(t *testing.T) {
	for name, want := range map[string]harness.Call{
		"PreToolUse.Bash":          {Event: harness.PreToolUse, Agent: "path:" + fullFile, Transcript: fullFile, Tool: "Bash", Short: "bash", ToolUseID: "call_00000004"},
		"PreToolUse.Bash.subagent": {Event: harness.PreToolUse, Agent: "path:" + childFile, Transcript: childFile, Tool: "Bash", Short: "bash", ToolUseID: "call_00000011"},
		"PreToolUse.collaborationspawn_agent": {
			Event: harness.PreToolUse, Agent: "path:" + rootFile, Transcript: rootFile,
			Tool: "collaborationspawn_agent", Short: "spawn_agent", ToolUseID: "call_00000003",
		},
		"PreToolUse.collaborationwait_agent": {
			Event: harness.PreToolUse, Agent: "path:" + rootFile, Transcript: rootFile,
			Tool: "collaborationwait_agent", Short: "wait_agent", ToolUseID: "call_00000007",
		},
		"Stop":         {Event: harness.Stop, Agent: "path:" + fullFile, Transcript: fullFile},
		"SubagentStop": {Event: harness.SubagentStop, Agent: "path:" + rootFile, Transcript: rootFile, AgentFile: childFile},
		"SessionEnd":   {Event: harness.SessionEnd, Agent: "path:" + fullFile, Transcript: fullFile},
	} {
		got := recordedCall(t, name)
		if got.Session == "" || got.Dir != "/home/dev/project" || (got.Prompt == "") != (name == "SessionEnd") {
			t.Errorf("%s: session %q, folder %q, turn %q", name, got.Session, got.Dir, got.Prompt)
		}
		if hasInput := want.Tool != ""; json.Valid(got.Input) != hasInput {
			t.Errorf("%s: input %q", name, got.Input)
		}
		if sub := strings.Contains(strings.ToLower(name), "subagent"); got.Sub != sub || (got.Mode == "bypassPermissions") != (name != "SessionEnd") {
			t.Errorf("%s: a subagent %t, permission mode %q", name, got.Sub, got.Mode)
		}
		got.Session, got.Dir, got.Prompt, got.Model, got.Input, got.Sub, got.Mode = "", "", "", "", nil, false, ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestAgent(t *testing.T) {
	for _, c := range []struct {
		in   harness.Input
		want string
	}{
		{harness.Input{Transcript: "/r", Agent: "a"}, "path:/r"},
		{harness.Input{Agent: "a"}, "a"},
		{harness.Input{}, "main"},
	} {
		if got := NewCall(c.in).Agent; got != c.want {
			t.Errorf("%+v: agent %q, want %q", c.in, got, c.want)
		}
	}
}

func TestShortName(t *testing.T) {
	for tool, want := range map[string]string{
		"": "", "Bash": "bash", "mcp__x__Y": "y", "collaborationspawn_agent": "spawn_agent",
		"collaboration__wait_agent": "wait_agent", "collaboration": "collaboration",
	} {
		if got := ShortName(tool); got != want {
			t.Errorf("ShortName(%q) = %q, want %q", tool, got, want)
		}
	}
}

func TestAnswer(t *testing.T) {
	deny := func(reason string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"` + reason + `"}}`
	}
	for _, c := range []struct {
		name   string
		answer harness.Answer
		want   string
	}{
		{"nothing", harness.Answer{}, ""},
		{"message", harness.Answer{Message: "m <&>"}, `{"systemMessage":"m <&>"}`},
		{"a denial is only that", harness.Answer{Decision: harness.Deny, Reason: "r", Message: "m", EndTurn: true}, deny("r")},
		{"deny without a reason", harness.Answer{Decision: harness.Deny, Reason: " \n"}, deny(noReason)},
		{"ask", harness.Answer{Decision: harness.Ask, Reason: "r", Message: "m"}, deny("r")},
		{"a pass ends no turn", harness.Answer{Reason: "r", EndTurn: true}, ""},
		{"invalid UTF-8", harness.Answer{Decision: harness.Deny, Reason: "a\xff"}, deny("a\ufffd")},
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

// FuzzAnswer: whatever the texts, Codex gets JSON that it does not throw away.
func FuzzAnswer(f *testing.F) {
	f.Add("reason", "message", uint8(2), true)
	f.Fuzz(func(t *testing.T, reason, message string, decision uint8, end bool) {
		got := Answer(harness.Answer{Decision: harness.Decision(decision % 3), Reason: reason, Message: message, EndTurn: end}, harness.PreToolUse)
		if got == nil {
			return
		}
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("not JSON: %q", got)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(got, &members); err != nil || len(members) != 1 {
			t.Fatalf("%d members: %s", len(members), got)
		}
	})
}
