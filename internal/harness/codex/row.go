package codex

import (
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// kind tells the lines apart that mean something here.
type kind uint8

const (
	nothing     kind = iota
	threadStart      // session_meta
	turnStart        // a turn begins
	turnContext      // a turn begins or goes on, with this model
	settings         // the user changed the model
	usageRecord      // what one response used, by response id
	tokenCount       // what the last response used, and the total so far
	turnAborted      // the user stopped the turn
	reply            // the model's text
	userMessage      // a prompt, or context in the user's name
	modelItem        // reasoning or a tool call of the model
	callOutput       // what a tool call gave
	operation        // the log entry of one operation
)

// row is what one line of a rollout tells, without its texts.
type row struct {
	detailed bool  // inputs and texts are wanted, too
	start    int64 // where the line starts
	kind     kind
	time     time.Time
	id       string // of the response, the call or the operation
	thread   string // threadStart: the thread's id
	forked   string // threadStart: the thread it was forked from
	turn     string // turnStart, turnContext, usageRecord: the turn's id
	model    string
	tier     harness.Tier // settings
	usage    harness.Usage
	hasUsage bool
	hasInfo  bool   // tokenCount: it counts something
	total    *int64 // tokenCount: total_tokens so far
	starts   bool   // modelItem, reply: it starts a response
	typed    bool   // userMessage: at least one text is not Codex's own
	reviewer bool   // threadStart: a subagent that no agent spawned
	call     bool   // modelItem: a tool call
	tool     string
	shell    bool // modelItem: the output may tell an exit code
	script   bool // modelItem: a code-mode script
	result   harness.Result
	input    []byte  // modelItem, operation: see harness.Detail; only of a detailed row
	broke    bool    // operation: its status says so
	out      outcome // callOutput; of an operation what it gave
}

// read fills l from a line; false when the line means nothing here.
func (l *row) read(r *transcript.Record, line []byte) bool {
	var (
		lineType string
		p        payload
	)
	ok := r.Read(line, func(name []byte) {
		switch string(name) {
		case "type":
			lineType = r.String()
		case "timestamp":
			l.time = timestamp(r)
		case "payload":
			p = payload{detailed: l.detailed}
			r.Object(func(name []byte) { p.member(r, name) })
		}
	})
	if !ok {
		return false
	}
	l.settle(lineType, &p)
	return l.kind != nothing
}

func timestamp(r *transcript.Record) time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.String())
	if err != nil {
		return time.Time{}
	}
	return t
}

// settle decides what the line is once all of it was read.
func (l *row) settle(lineType string, p *payload) {
	switch lineType {
	case "session_meta":
		l.kind, l.reviewer, l.thread, l.forked = threadStart, p.reviewer, p.id, p.forked
	case "turn_context":
		l.kind, l.model, l.turn = turnContext, p.model, p.turn
	case "token_usage_record":
		l.kind, l.id, l.usage, l.hasUsage, l.turn = usageRecord, p.responseID, p.usage, p.hasUsage, p.turn
	case "event_msg":
		l.settleEvent(p)
	case "response_item":
		l.settleItem(p)
	}
}

func (l *row) settleEvent(p *payload) {
	switch p.kind {
	case "token_count":
		l.kind, l.hasInfo, l.total = tokenCount, p.hasInfo, p.total
		l.usage, l.hasUsage = p.last, p.hasLast
	case "task_started", "turn_started":
		l.kind, l.turn = turnStart, p.turn
	case "turn_aborted":
		l.kind = turnAborted
	case "thread_settings_applied":
		l.kind, l.model, l.tier = settings, p.settingsModel, p.tier
	case "item_completed":
		if p.item.tool() != "" {
			l.kind, l.id, l.tool, l.result = operation, p.item.id, p.item.tool(), p.item.result()
			l.broke, l.out = p.item.status == "failed", p.item.gave()
			if l.detailed {
				l.tool, l.input = hookName("", l.tool), p.item.hookInput()
			}
		}
	}
}

func (l *row) settleItem(p *payload) {
	switch p.kind {
	case "message":
		l.kind = userMessage
		if p.role == "assistant" {
			l.kind = reply
		}
		l.typed = p.role == "user" && p.typed
	case "reasoning":
		l.kind = modelItem
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
		"image_generation_call":
		l.kind, l.call = modelItem, true
		l.settleCall(p)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		l.kind, l.id, l.out = callOutput, p.callID, p.out
	}
}

func (l *row) settleCall(p *payload) {
	l.id = first(p.callID, p.id)
	name := p.name
	if !p.hasName {
		name = p.kind
	}
	l.tool = fullName(p.namespace, name)
	l.script = name == "exec" && p.kind == "custom_tool_call"
	l.shell = p.kind == "local_shell_call" || l.script || tellsExitCode(p.namespace, name)
	if p.kind == "web_search_call" && p.status == "completed" {
		l.result = harness.Succeeded
	}
	if l.detailed {
		l.tool, l.input = hookName(p.namespace, name), p.hookInput(name)
	}
}

// fullName is a tool's name with its namespace in front.
func fullName(namespace, name string) string {
	if namespace == "" || len(name) >= len(namespace) && name[:len(namespace)] == namespace {
		return name
	}
	return namespace + "__" + name
}

// tellsExitCode tells whether a tool's output may begin with an exit code: for
// shells and patches. In other outputs the same words mean nothing.
func tellsExitCode(namespace, name string) bool {
	if len(namespace) >= 5 && namespace[:5] == "mcp__" || len(name) >= 5 && name[:5] == "mcp__" {
		return false
	}
	switch name {
	case "apply_patch":
		return true
	case "shell", "exec_command", "shell_command", "container.exec", "local_shell":
		return namespace == ""
	}
	return false
}
