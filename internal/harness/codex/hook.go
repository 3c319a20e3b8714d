// Package codex knows Codex CLI: what its hooks send and understand, what its
// rollouts (transcripts) tell, and which files belong to a session.
//
// It never decides anything and never writes a file. Checked against Codex
// 0.171.0; older rollouts without token_usage_record are read too.
package codex

import (
	"strings"

	"checkrein/internal/harness"
)

// Name is how flags, settings and state files spell this harness.
const Name = harness.Codex

// NewCall is the hook call in. A subagent's call gives the subagent's own
// rollout, so the path names the agent, and names it the same way as Files
// does; an ephemeral session has no path.
func NewCall(in harness.Input) harness.Call {
	call := in.Call()
	call.Short = ShortName(in.Tool)
	call.Transcript, call.Response = in.Transcript, told(in)
	switch {
	case in.Transcript != "":
		call.Agent = fileAgent(in.Transcript)
	case in.Agent != "":
		call.Agent = in.Agent
	default:
		call.Agent = "main"
	}
	return call
}

// fileAgent is the Agent whose calls the rollout at path holds.
func fileAgent(path string) string { return "path:" + path }

// ShortName is a tool's name in lower case, without the server of an MCP tool
// and without Codex's namespace for agents, which hooks write in front of the
// name (collaborationspawn_agent) and rollouts with two underscores between.
func ShortName(tool string) string {
	if _, after, ok := lastCut(tool, "__"); ok {
		tool = after
	}
	tool = strings.ToLower(tool)
	if rest, ok := strings.CutPrefix(tool, "collaboration"); ok && rest != "" {
		return rest
	}
	return tool
}

// lastCut cuts s around the last sep.
func lastCut(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Alone tells a session that asks for no permission: each codex exec is one.
func Alone(call harness.Call, _ func(string) string) bool { return call.Mode == "bypassPermissions" }

// answer is the JSON that Codex reads from a PreToolUse hook. Codex throws the
// whole answer away, and runs the call, when it holds a member it does not
// expect (continue and stopReason among them), an empty reason, or "ask".
type answer struct {
	Specific      *specific `json:"hookSpecificOutput,omitzero"`
	SystemMessage string    `json:"systemMessage,omitzero"`

	// UserPromptSubmit only.
	Continue   *bool  `json:"continue,omitzero"`
	StopReason string `json:"stopReason,omitzero"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

// noReason stands in for an empty reason.
const noReason = "Blocked by checkrein."

// Answer is what the hook prints for a to the named event: one JSON object, or
// nil to print nothing. Codex cannot ask, so an Ask is a denial; a denial carries
// nothing but its reason. A prompt is refused at UserPromptSubmit, before any
// request is sent. SessionStart is not answered: after a refusal there Codex
// 0.171.0 does not run UserPromptSubmit, so that no typed word could lift it.
func Answer(a harness.Answer, event string) []byte {
	switch event {
	case harness.PreToolUse:
		return harness.EncodeAnswer(preToolUse(a))
	case harness.UserPromptSubmit:
		if a.Decision == harness.Deny {
			return harness.EncodeAnswer(answer{Continue: new(bool), StopReason: first(a.Message, a.Reason)})
		}
		return nil
	default:
		return nil
	}
}

func preToolUse(a harness.Answer) answer {
	if a.Decision == harness.Pass {
		return answer{SystemMessage: a.Message}
	}
	reason := a.Reason
	if strings.TrimSpace(reason) == "" {
		reason = noReason
	}
	return answer{Specific: &specific{harness.PreToolUse, "deny", reason}}
}
