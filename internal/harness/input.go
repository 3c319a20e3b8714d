package harness

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Input is what a harness writes to a hook's standard input, with the members
// that the harnesses here share. A member of another type than expected counts
// as absent, so a new version that changes one cannot make a hook fail.
type Input struct {
	Event           string // hook_event_name
	Session         string // session_id
	Transcript      string // transcript_path
	AgentTranscript string // agent_transcript_path (SubagentStop)
	Agent           string // agent_id
	Dir             string // cwd
	PromptID        string // prompt_id
	TurnID          string // turn_id
	Model           string // model
	ToolUseID       string // tool_use_id
	Tool            string // tool_name
	ToolInput       []byte // tool_input, as JSON; nil when absent
	ResponseID      string // response_id (PostModelRequest)
	TokenUsage      []byte // token_usage, as JSON; nil when absent
	Typed           string // prompt (UserPromptSubmit)
	Mode            string // permission_mode
	Batch           []byte // tool_calls (PostToolBatch), as JSON; nil when absent
	HasTurn         bool   // turn_id is there, whatever its type
	Cursor          bool   // cursor_version is there, whatever its type
}

// ParseInput reads a hook's standard input. It says false when raw is not one
// JSON object; the call must then go through unseen. ToolInput is a copy.
func ParseInput(raw []byte) (Input, bool) {
	f, ok := members(raw)
	if !ok {
		return Input{}, false
	}
	_, hasTurn := f["turn_id"]
	_, cursor := f["cursor_version"]
	return Input{
		Event:           text(f["hook_event_name"]),
		Session:         text(f["session_id"]),
		Transcript:      text(f["transcript_path"]),
		AgentTranscript: text(f["agent_transcript_path"]),
		Agent:           text(f["agent_id"]),
		Dir:             text(f["cwd"]),
		PromptID:        text(f["prompt_id"]),
		TurnID:          text(f["turn_id"]),
		Model:           text(f["model"]),
		ToolUseID:       text(f["tool_use_id"]),
		Tool:            text(f["tool_name"]),
		ToolInput:       f["tool_input"],
		ResponseID:      text(f["response_id"]),
		TokenUsage:      f["token_usage"],
		Typed:           text(f["prompt"]),
		Mode:            text(f["permission_mode"]),
		Batch:           f["tool_calls"],
		HasTurn:         hasTurn,
		Cursor:          cursor,
	}, true
}

// members splits a JSON object; of members with the same name the last counts.
// It walks the tokens itself: what it takes to unmarshal a map is made anew in
// every process, and was a tenth of a hook call's time.
func members(raw []byte) (map[string]jsontext.Value, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '{' {
		return nil, false
	}
	_, err := d.ReadToken()
	f := make(map[string]jsontext.Value, 16)
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		key := name.String()
		var value jsontext.Value
		if value, err = d.ReadValue(); err == nil {
			f[key] = value.Clone()
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err == nil {
		_, err = d.ReadToken() // nothing may follow
	}
	return f, err == io.EOF
}

// Harness recognises which harness sent the input when no flag says so: only
// Codex names turns, and only its transcripts are called rollouts.
func (in Input) Harness() string {
	name := path.Base(strings.ReplaceAll(in.Transcript, `\`, "/"))
	if in.HasTurn || strings.HasPrefix(name, "rollout-") {
		return Codex
	}
	return ClaudeCode
}

// Call is the part of the input that means the same in every harness. Agent
// and Transcript are left to the harness.
func (in Input) Call() Call {
	return Call{
		Event:     in.Event,
		Session:   in.Session,
		AgentFile: in.AgentTranscript,
		Dir:       in.Dir,
		Prompt:    first(in.PromptID, in.TurnID),
		Model:     in.Model,
		ToolUseID: in.ToolUseID,
		Tool:      in.Tool,
		Input:     in.ToolInput,
		Cursor:    in.Cursor,
		Typed:     in.Typed,
		Mode:      in.Mode,
		Sub:       in.Agent != "",
	}
}

// text is the string v holds, or "" when v holds something else.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	out, _ := jsontext.AppendUnquote(nil, v)
	return string(out)
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
