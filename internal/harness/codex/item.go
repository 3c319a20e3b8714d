package codex

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// item is what an item_completed event tells of one operation.
type item struct {
	kind, id     string
	server, name string // McpToolCall: server and tool
	extension    string
	status       string
	ended        bool // it has a status that means an end, or none at all
	bad          bool // its exit code is not 0
	whole        string
	isWhole      bool // CommandExecution: the output in one piece
	stdout       string
	stderr       string
	answer       string // McpToolCall: the beginning of its result
}

func readItem(r *transcript.Record) item {
	i := item{ended: true}
	r.Object(func(name []byte) { i.member(r, name) })
	return i
}

func (i *item) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "type":
		i.kind = r.String()
	case "id":
		i.id = r.ID()
	case "server":
		i.server = r.String()
	case "tool":
		i.name = r.String()
	case "kind":
		i.extension = r.String()
	case "status":
		null := r.Kind() == 'n'
		i.status = r.String()
		i.ended = null || i.status == "completed" || i.status == "failed"
	case "exit_code":
		n, ok := r.Int()
		i.bad = ok && n != 0
	case "aggregated_output":
		i.isWhole = r.Kind() == '"'
		i.whole = head(r)
	case "stdout":
		i.stdout = head(r)
	case "stderr":
		i.stderr = head(r)
	case "result":
		i.answer = resultHead(r)
	}
}

// head is the beginning of a text, where Codex puts what it has to say.
func head(r *transcript.Record) string {
	text, _ := r.Head(6 * 200)
	return string(cut(text, 200))
}

func resultHead(r *transcript.Record) (text string) {
	if r.Kind() != '{' {
		return string(cut(blocks(r), 200))
	}
	r.Object(only("content", func() { text = string(cut(blocks(r), 200)) }))
	return text
}

// tool is the name of the tool that did the operation, "" for entries that are
// no operation, such as messages.
func (i *item) tool() string {
	switch i.kind {
	case "CommandExecution":
		return "exec_command"
	case "FileChange":
		return "apply_patch"
	case "McpToolCall":
		return "mcp__" + i.server + "__" + i.name
	case "Extension":
		return first(i.extension, "extension")
	case "ImageView":
		return "view_image"
	}
	return ""
}

// result is how the operation ended.
func (i *item) result() harness.Result {
	if !i.ended {
		return harness.Pending
	}
	if no := refusal(cut([]byte(i.output()), 200)); no != harness.Pending {
		return no
	}
	if i.status == "failed" || i.kind == "CommandExecution" && i.bad {
		return harness.Failed
	}
	return harness.Succeeded
}

// output is the beginning of what the operation gave.
func (i *item) output() string {
	switch {
	case i.kind == "McpToolCall":
		return i.answer
	case i.kind == "CommandExecution" && i.isWhole:
		return i.whole
	case i.kind != "CommandExecution" && i.kind != "FileChange":
		return ""
	case i.stdout != "" && i.stderr != "":
		return i.stdout + "\n" + i.stderr
	default:
		return i.stdout + i.stderr
	}
}
