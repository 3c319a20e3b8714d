package codex

import (
	"bytes"
	"strings"

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

	detailed  bool
	arguments []byte // as written; only where details are wanted, as is the next
	problem   string // the beginning of its error, as written
	same      uint64 // see harness.Event.Output; 0 for kinds that don't tell what they gave

	// As written, valid until the next line: the output in one piece, or in two
	// with that of an error beside it.
	rawWhole, rawOut, rawErr []byte
}

func readItem(r *transcript.Record, detailed bool) item {
	i := item{ended: true, detailed: detailed}
	r.Object(func(name []byte) { i.member(r, name) })
	i.same = i.hash()
	i.rawWhole, i.rawOut, i.rawErr = nil, nil, nil
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
		i.whole, i.rawWhole = i.head(r)
	case "stdout":
		i.stdout, i.rawOut = i.head(r)
	case "stderr":
		i.stderr, i.rawErr = i.head(r)
	case "result":
		from := r.Offset()
		i.answer = i.resultHead(r)
		i.rawOut = r.Since(from)
	case "error":
		from := r.Offset()
		r.Skip()
		i.rawErr = r.Since(from)
		if i.detailed {
			i.problem = string(i.rawErr[:min(len(i.rawErr), shown)])
		}
	case "command", "arguments":
		if i.detailed {
			from := r.Offset()
			r.Skip()
			i.arguments = bytes.Clone(r.Since(from))
		}
	}
}

// said is how much of an output is looked at for words of Codex's own.
const said = 200

// head is the beginning of a text, where Codex puts what it has to say, and all
// of it as written.
func (i *item) head(r *transcript.Record) (text string, raw []byte) {
	from := r.Offset()
	b, _ := r.Head(6 * i.most())
	return i.cut(b), unquoted(r.Since(from))
}

func (i *item) cut(text []byte) string { return string(cut(text, i.most())) }

func (i *item) most() int {
	if i.detailed {
		return shown
	}
	return said
}

// hash is what the operation gave as harness.Event has it. Of a call that the
// model made itself, whose ids begin so, the output tells that, unless it failed.
func (i *item) hash() uint64 {
	failed := i.result() == harness.Failed
	switch {
	case !i.ended || !failed && strings.HasPrefix(i.id, "call_"):
		return 0
	case i.kind == "CommandExecution" && i.isWhole:
		return transcript.SameText(failed, i.rawWhole)
	case i.kind == "CommandExecution" || i.kind == "FileChange" || i.kind == "McpToolCall":
		return transcript.SameText(failed, i.rawOut, i.rawErr)
	}
	return 0
}

// gave is what the operation gave.
func (i *item) gave() outcome {
	o := outcome{output: i.same}
	if i.detailed {
		o.text = beginning([]byte(first(i.output(), i.problem)))
	}
	return o
}

func (i *item) resultHead(r *transcript.Record) (text string) {
	if r.Kind() != '{' {
		return i.cut(blocks(r))
	}
	r.Object(only("content", func() { text = i.cut(blocks(r)) }))
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
	if no := refusal(cut([]byte(i.output()), said)); no != harness.Pending {
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
