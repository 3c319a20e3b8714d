// Package claudecode knows Claude Code: what its hooks send and understand,
// what its transcripts tell, and which files belong to a session.
//
// It never decides anything and never writes a file. Checked against Claude
// Code 2.1.332; versions back to 2.0.64 wrote the same records.
package claudecode

import (
	"strings"

	"checkrein/internal/harness"
)

// Name is how flags, settings and state files spell this harness.
const Name = harness.ClaudeCode

// mainAgent is the Agent of everything outside subagents.
const mainAgent = "main"

// NewCall is the hook call in. A call inside a subagent names its agent and
// still gives the session's main transcript; should it give the subagent's own
// file, the main one is found from where that file lies.
func NewCall(in harness.Input) harness.Call {
	call := in.Call()
	call.Short = ShortName(in.Tool)
	call.Agent = in.Agent
	if call.Agent == "" {
		call.Agent = mainAgent
	}
	call.Transcript = mainTranscript(in.Transcript)
	call.Batch, call.BatchEnd, call.BatchSize = batch(in.Batch)
	return call
}

// ShortName is a tool's name in lower case, without the server of an MCP tool.
func ShortName(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		tool = tool[i+2:]
	}
	return strings.ToLower(tool)
}

// Alone tells a session in print mode or through the SDK, and one that asks for
// no permission. Claude Code 2.1.332 says whether somebody attends, whatever was
// set before; older versions only how they were started.
func Alone(call harness.Call, getenv func(string) string) bool {
	if call.Mode == "bypassPermissions" {
		return true
	}
	switch getenv("CLAUDE_CODE_SESSION_ATTENDED") {
	case "0":
		return true
	case "1":
		return false
	}
	return strings.HasPrefix(getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk")
}

// answer is the JSON that Claude Code reads from a PreToolUse hook. A decision
// without the event's name is ignored by it, a continue:false without a
// decision lets the call run.
type answer struct {
	Specific      *specific `json:"hookSpecificOutput,omitzero"`
	Continue      *bool     `json:"continue,omitzero"`
	StopReason    string    `json:"stopReason,omitzero"`
	SystemMessage string    `json:"systemMessage,omitzero"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

// Answer is what the hook prints for a to the named event: one JSON object, or
// nil to print nothing. Seen in 2.1.332: after continue:false to a prompt or to
// the end of a batch no request is sent, also when a call of the batch failed or
// was denied; a refused prompt shows the stop's reason only. (decision:"block"
// would put the prompt back into the input box, in front of what is typed next.)
func Answer(a harness.Answer, event string) []byte {
	switch event {
	case harness.PreToolUse:
		return harness.EncodeAnswer(preToolUse(a))
	case harness.UserPromptSubmit, harness.PostToolBatch:
		return harness.EncodeAnswer(endTurn(a, event))
	default:
		return nil
	}
}

func endTurn(a harness.Answer, event string) answer {
	if a.Decision != harness.Deny {
		return answer{}
	}
	out := answer{Continue: new(bool), StopReason: firstOf(a.Message, a.Reason)}
	if event == harness.PostToolBatch { // which shows no reason
		out.SystemMessage = a.Message
	}
	return out
}

func preToolUse(a harness.Answer) answer {
	out := answer{SystemMessage: a.Message}
	switch a.Decision {
	case harness.Ask:
		out.Specific = &specific{harness.PreToolUse, "ask", a.Reason}
	case harness.Deny:
		out.Specific = &specific{harness.PreToolUse, "deny", a.Reason}
		if a.EndTurn {
			out.Continue, out.StopReason = new(bool), firstOf(a.Message, a.Reason)
		}
	}
	return out
}
