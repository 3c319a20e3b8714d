package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// claude writes a session as Claude Code 2.1.332 does.
type claude struct {
	*stage
}

func (c claude) dir() string {
	return filepath.Join(c.home, ".claude", "projects", "-home-dev-project")
}
func (c claude) main() string { return filepath.Join(c.dir(), c.id+".jsonl") }

func (c claude) file(agent string) string {
	if agent == "" {
		return c.main()
	}
	return filepath.Join(c.dir(), c.id, "subagents", "agent-"+agent+".jsonl")
}

func (c claude) begin(agents []string) error {
	if err := os.MkdirAll(filepath.Join(c.dir(), c.id, "subagents"), 0o755); err != nil {
		return err
	}
	for _, a := range agents {
		meta := strings.TrimSuffix(c.file(a), ".jsonl") + ".meta.json"
		if err := os.WriteFile(meta, fmt.Appendf(nil, `{"agentType":"general-purpose","spawnDepth":%d}`, depth(a)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// row is a record with what all of them have.
func (c claude) row(agent, kind string, members map[string]any) {
	members["type"], members["timestamp"], members["uuid"] = kind, stamp(c.now), c.unique("uuid")
	members["sessionId"], members["version"], members["cwd"] = c.id, "2.1.332", project
	members["isSidechain"], members["userType"], members["entrypoint"] = agent != "", "external", "cli"
	if agent != "" {
		members["agentId"] = agent
	}
	c.line(c.file(agent), members)
}

func (c claude) prompt() {
	c.row("", "user", map[string]any{"promptId": c.promptID(), "message": map[string]any{"role": "user", "content": "Go on"}})
}

func (c claude) response(agent string, calls []call, ids []string) {
	c.row(agent, "api-request", map[string]any{"id": c.unique("request")})
	blocks := []any{map[string]any{"type": "text", "text": "Next."}}
	for i, call := range calls {
		tool, input := c.tool(call)
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": ids[i], "name": tool, "input": json.RawMessage(input)})
	}
	message, request := c.unique("msg"), c.unique("req")
	for _, b := range blocks {
		c.row(agent, "assistant", map[string]any{"requestId": request, "message": map[string]any{
			"id": message, "type": "message", "role": "assistant", "model": "claude-haiku-4-5", "stop_reason": "tool_use", "content": []any{b},
			"usage": map[string]any{"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 100, "output_tokens": 20},
		}})
	}
}

func (c claude) result(agent, id string, call call) {
	block := map[string]any{"type": "tool_result", "tool_use_id": id, "content": call.result}
	switch {
	case call.kind == unknown:
		block["is_error"], block["content"] = true, "<tool_use_error>Error: No such tool available: "+call.text+"</tool_use_error>"
	case call.kind == broken:
		block["is_error"], block["content"] = true, "<tool_use_error>InputValidationError: Read failed due to the following issue:\n"+
			"The required parameter `file_path` is missing</tool_use_error>"
	case call.end == cancelled:
		block["is_error"], block["content"] = true, "<tool_use_error>Cancelled: parallel tool call Edit("+call.text+") errored</tool_use_error>"
	case call.end == failed && call.kind == edit:
		block["is_error"], block["content"] = true, "<tool_use_error>"+call.result+"</tool_use_error>"
	case call.end == failed:
		block["is_error"], block["content"] = true, "Exit code 1\n"+call.result
	}
	c.row(agent, "user", map[string]any{"promptId": c.promptID(), "message": map[string]any{"role": "user", "content": []any{block}}})
}

// tool is a call's tool and input.
func (c claude) tool(call call) (name, input string) {
	text := quoted(call.text)
	switch call.kind {
	case read:
		return "Read", `{"file_path":` + text + `}`
	case glob:
		return "Glob", `{"pattern":` + text + `}`
	case edit:
		return "Edit", fmt.Sprintf(`{"file_path":%s,"old_string":"line %d","new_string":"line %d"}`, text, call.n, call.n+1)
	case spawn:
		return "Agent", `{"description":"part","prompt":` + text + `,"subagent_type":"general-purpose"}`
	case unknown:
		return call.text, `{"x":1}`
	case broken:
		return "Read", `{"path":` + text + `}`
	}
	return "Bash", `{"command":` + text + `,"description":"Run it"}`
}

// ask is the input of a hook.
func (c claude) ask(event, agent, id string, call call) map[string]any {
	in := map[string]any{
		"session_id": c.id, "transcript_path": c.main(), "cwd": project, "prompt_id": c.promptID(), "permission_mode": "acceptEdits",
		"hook_event_name": event,
	}
	if agent != "" {
		in["agent_id"], in["agent_type"] = agent, "general-purpose"
	}
	if event == "PreToolUse" {
		tool, input := c.tool(call)
		in["tool_name"], in["tool_input"], in["tool_use_id"] = tool, json.RawMessage(input), id
	}
	return in
}

func (c claude) batches() bool { return true }

// hooked: no hook is asked about what is no call, and what a tool refuses itself.
func (c claude) hooked(call call) bool {
	return call.kind != unknown && call.kind != broken && (call.kind != edit || call.end != failed)
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
