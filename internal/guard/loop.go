package guard

import (
	"strings"

	"checkrein/internal/command"
	"checkrein/internal/harness"
)

// isReadOnly: calls that change nothing, so that repeats with only these in
// between still count.
func isReadOnly(tool string) bool {
	switch tool {
	case "Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch":
		return true
	}
	return false
}

// isDeliberate: calls whose repeats are meant. They start or message subagents,
// wait for background work, or ask the user. They never count, and they end a
// run of repeats.
func isDeliberate(short string) bool {
	switch short {
	case "agent", "task", "spawn_agent", "followup_task", "send_message", "sendmessage",
		"wait", "wait_agent", "sleep", "taskoutput", "bashoutput", "monitor", "schedulewakeup",
		"list_agents", "listagents",
		"askuserquestion", "exitplanmode", "request_user_input", "request_user_input_async":
		return true
	}
	return strings.HasSuffix(short, "press_key")
}

// isNavigation: browser steps that repeat on purpose.
func isNavigation(action string) bool {
	switch action {
	case "scroll", "key", "press_key", "wait":
		return true
	}
	return false
}

func isShell(tool string) bool {
	switch tool {
	case "Bash", "exec_command", "shell", "shell_command", "local_shell":
		return true
	}
	return false
}

// traitsOf is what a call is. judged: its command is parsed to know a wait.
func traitsOf(call harness.Call, judged bool) (t traits) {
	shell := shellCommand(call.Tool, call.Input)
	switch {
	case isDeliberate(call.Short) || isNavigation(action(call.Input)):
		t |= deliberate
	case judged && command.Waits(shell) || !judged && command.WaitsByWord(shell):
		t |= waiting
	}
	switch {
	case isEdit(call.Short) || command.Commits(shell):
		t |= working | changes
	case !isReadOnly(call.Tool) && !command.Reads(shell):
		t |= changes
	}
	if command.Tests(shell) {
		t |= checking
	}
	return t
}

// isEdit: tools whose purpose is to change files.
func isEdit(short string) bool {
	switch short {
	case "edit", "write", "multiedit", "notebookedit", "apply_patch":
		return true
	}
	return false
}

// repeats counts a call in and returns how many times it has come with nothing
// changed in between, this time included; 0 for calls that never count.
func (a *agent) repeats(call harness.Call, t traits, print ID) int {
	if t.has(waiting | deliberate) {
		a.Counts = nil
		return 0
	}
	name, n := print.String(), 1
	others := make([]count, 0, len(a.Counts)+1)
	for _, c := range a.Counts {
		if c.fingerprint == name {
			n = c.times + 1
		} else {
			others = append(others, c)
		}
	}
	if !isReadOnly(call.Tool) { // it may have changed files or state: what came before no longer counts
		others = others[:0]
	}
	a.Counts = last(append(others, count{name, n}), maxCounts)
	return n
}

func action(input []byte) string {
	members, _ := object(input)
	text, _ := stringValue(members["action"])
	return strings.ToLower(text)
}

func shellCommand(tool string, input []byte) string {
	if !isShell(tool) {
		return ""
	}
	members, _ := object(input)
	value, ok := members["command"]
	if !ok {
		value = members["cmd"]
	}
	text, _ := stringValue(value)
	return text
}
