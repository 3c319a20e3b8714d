package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// codex writes a session as Codex 0.171.0 does.
type codex struct {
	*stage
}

func (c codex) thread(agent string) string { return c.id + agent }

func (c codex) file(agent string) string {
	return filepath.Join(c.home, ".codex", "sessions", c.day, "rollout-"+c.day[len(c.day)-2:]+"T10-00-00-"+c.thread(agent)+".jsonl")
}

func (c codex) begin(agents []string) error {
	if err := os.MkdirAll(filepath.Dir(c.file("")), 0o755); err != nil {
		return err
	}
	for _, a := range append([]string{""}, agents...) {
		var from any = "cli"
		if a != "" {
			from = map[string]any{"subagent": map[string]any{"thread_spawn": map[string]any{"parent_thread_id": c.id, "depth": depth(a)}}}
		}
		c.row(a, "session_meta", map[string]any{
			"session_id": c.id, "id": c.thread(a), "timestamp": stamp(c.now), "cwd": project, "cli_version": "0.171.0", "source": from,
		})
		c.row(a, "turn_context", map[string]any{"turn_id": c.promptID(), "cwd": project, "model": "gpt-5.5"})
	}
	return nil
}

func (c codex) row(agent, kind string, payload map[string]any) {
	c.line(c.file(agent), map[string]any{"timestamp": stamp(c.now), "type": kind, "payload": payload})
}

func (c codex) prompt() {
	c.row("", "event_msg", map[string]any{"type": "task_started", "turn_id": c.promptID()})
	c.row("", "turn_context", map[string]any{"turn_id": c.promptID(), "cwd": project, "model": "gpt-5.5"})
	c.row("", "response_item", map[string]any{
		"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": "Go on"}},
		"internal_chat_message_metadata_passthrough": map[string]any{"turn_id": c.promptID(), "content_item_kinds": []string{"user.text"}},
	})
}

func (c codex) response(agent string, calls []call, ids []string) {
	c.row(agent, "response_item", map[string]any{
		"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": "Next."}},
	})
	for i, call := range calls {
		c.row(agent, "response_item", c.item(call, ids[i]))
	}
	usage := map[string]any{"input_tokens": 110, "cached_input_tokens": 100, "output_tokens": 20, "reasoning_output_tokens": 0, "total_tokens": 130}
	c.row(agent, "token_usage_record", map[string]any{"thread_id": c.thread(agent), "response_id": c.unique("resp"), "usage": usage})
}

// item is a call as a rollout has it.
func (c codex) item(call call, id string) map[string]any {
	item := map[string]any{"type": "function_call", "name": "exec_command", "call_id": id}
	arguments := map[string]any{"cmd": c.command(call)}
	switch call.kind {
	case edit:
		return map[string]any{"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "status": "completed", "input": patch(call)}
	case spawn:
		item["name"], item["namespace"] = "spawn_agent", "collaboration"
		arguments = map[string]any{"task_name": "part", "message": call.text}
	case unknown:
		item["name"], arguments = call.text, map[string]any{"x": 1}
	case broken:
		arguments = map[string]any{"command_line": call.text}
	}
	text, _ := json.Marshal(arguments)
	item["arguments"] = string(text)
	return item
}

// command is what Codex runs where Claude Code has a tool.
func (c codex) command(call call) string {
	switch call.kind {
	case read:
		return "sed -n '1,200p' " + call.text
	case glob:
		return "rg --files -g '" + call.text + "'"
	}
	return call.text
}

func patch(call call) string {
	return fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n@@\n-line %d\n+line %d\n*** End Patch\n", call.text, call.n, call.n+1)
}

func (c codex) result(agent, id string, call call) {
	code := 0
	if call.end == failed {
		code = 1
	}
	kind, output := "function_call_output", ""
	switch call.kind {
	case edit:
		kind, output = "custom_tool_call_output", "apply_patch verification failed: Failed to find expected lines in "+call.text
		if code != 0 {
			break
		}
		output = fmt.Sprintf("Exit code: %d\nWall time: 0.1 seconds\nOutput:\n%s\n", code, call.result)
	case spawn:
		output = `{"task_name":"/root/part"}`
	case unknown:
		output = "unsupported call: " + call.text
	case broken:
		output = "failed to parse function arguments: missing field `cmd` at line 1 column 12"
	default:
		c.ended(agent, id, call, code)
		output = fmt.Sprintf("Chunk ID: %s\nWall time: 0.0%d seconds\nProcess exited with code %d\nOriginal token count: 9\nOutput:\n%s\n",
			c.unique("")[1:], 10+c.count%80, code, call.result)
	}
	c.row(agent, "response_item", map[string]any{"type": kind, "call_id": id, "output": output})
}

// ended is the log entry of a command.
func (c codex) ended(agent, id string, call call, code int) {
	status := "completed"
	if code != 0 {
		status = "failed"
	}
	c.row(agent, "event_msg", map[string]any{"type": "item_completed", "thread_id": c.thread(agent), "item": map[string]any{
		"type": "CommandExecution", "id": id, "command": []string{"/bin/bash", "-lc", c.command(call)}, "status": status,
		"aggregated_output": call.result + "\n", "exit_code": code,
	}})
}

// ask is the input of a hook.
func (c codex) ask(event, agent, id string, call call) map[string]any {
	in := map[string]any{
		"session_id": c.id, "transcript_path": c.file(agent), "cwd": project, "turn_id": c.promptID(), "permission_mode": "default",
		"hook_event_name": event, "model": "gpt-5.5",
	}
	if agent != "" {
		in["agent_id"], in["agent_type"] = c.thread(agent), "default"
	}
	if event == "PreToolUse" {
		in["tool_use_id"] = id
		switch call.kind {
		case edit:
			in["tool_name"], in["tool_input"] = "apply_patch", map[string]any{"command": patch(call)}
		case spawn:
			in["tool_name"], in["tool_input"] = "collaborationspawn_agent", map[string]any{"task_name": "part", "message": call.text}
		default:
			in["tool_name"], in["tool_input"] = "Bash", map[string]any{"command": c.command(call)}
		}
	}
	return in
}

func (c codex) batches() bool { return false }

func (c codex) hooked(call call) bool { return call.kind != unknown && call.kind != broken }
