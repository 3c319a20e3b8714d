package claudecode

import (
	"bytes"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// enough is how much of a text is looked at: what Claude Code itself says
// stands at the beginning and is shorter.
const enough = 512

// message reads the API message of a record.
func (rec *row) message(r *transcript.Record, f *fields) {
	f.message, f.model = "", ""
	rec.usage, rec.hasUsage, rec.advisors, rec.calls, rec.parts = harness.Usage{}, false, nil, nil, nil
	r.Object(func(name []byte) {
		switch string(name) {
		case "id":
			f.message = r.ID()
		case "model":
			f.model = r.String()
		case "stop_reason":
			rec.streaming = r.Kind() == 'n'
		case "usage":
			rec.readUsage(r)
		case "content":
			rec.content(r)
		}
	})
}

// content reads a message's blocks; a prompt may also be a plain string.
func (rec *row) content(r *transcript.Record) {
	rec.calls, rec.parts, rec.words = nil, nil, 0
	if r.Kind() == '"' {
		text, _ := r.Head(enough)
		rec.parts = append(rec.parts, part{kind: textKind(text)})
		return
	}
	r.Array(func() { rec.block(r) })
}

func (rec *row) block(r *transcript.Record) {
	var (
		kind     string
		c        call
		p        part
		textPart partKind
	)
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "id":
			c.id = r.ID()
		case "name":
			c.name = r.String()
		case "tool_use_id":
			p.id = r.ID()
		case "is_error":
			p.failed = r.Set()
		case "content":
			p.cancelled = cancelled(r)
		case "text":
			from := r.Offset()
			textPart = noPart
			if text, ok := r.Head(enough); ok {
				textPart = textKind(text)
			}
			rec.words += r.Offset() - from
		case "thinking", "input": // what the model wrote besides texts
			rec.words += r.Size()
		}
	})
	switch {
	case len(rec.calls)+len(rec.parts) >= maxHeld:
	case kind == "tool_use":
		rec.calls = append(rec.calls, c)
	case kind == "tool_result":
		p.kind = toolResult
		rec.parts = append(rec.parts, p)
	case kind == "text" && textPart != noPart:
		rec.parts = append(rec.parts, part{kind: textPart})
	}
}

// textKind tells who wrote a text in the user's name.
func textKind(text []byte) partKind {
	text = bytes.TrimSpace(text)
	switch string(text) {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]":
		return interrupt
	}
	if !bytes.HasPrefix(text, []byte("<")) {
		return typed
	}
	for _, tag := range [...]string{
		"<system-reminder>", "<task-notification>", "<local-command-stdout>", "<local-command-stderr>",
		"<local-command-caveat>", "<bash-stdout>", "<bash-stderr>",
	} {
		if bytes.HasPrefix(text, []byte(tag)) {
			return injected
		}
	}
	return typed
}

// cancelled tells whether a tool result says that the call never ran for a
// reason that lies outside it. Wordings: "Sibling tool call errored" up to
// 2.1.42 (measured there: two of three streaks of five failures were one
// failure and its siblings), "Cancelled: parallel tool call Bash(…) errored"
// seen in 2.1.156-2.1.160; in 2.1.332 siblings are no longer cancelled, and
// what is left says that the conversation ended or that a stream was restarted.
// Other cancellations carry a denial kind.
func cancelled(r *transcript.Record) (yes bool) {
	if r.Kind() == '"' {
		text, _ := r.Head(enough)
		return cancelledText(text)
	}
	r.Array(func() {
		r.Object(func(name []byte) {
			if string(name) == "text" {
				text, _ := r.Head(enough)
				yes = yes || cancelledText(text)
			}
		})
	})
	return yes
}

func cancelledText(text []byte) bool {
	text = bytes.TrimSpace(text)
	text = bytes.TrimPrefix(text, []byte("<tool_use_error>"))
	text = bytes.TrimPrefix(text, []byte("Error: "))
	for _, start := range [...]string{
		"Sibling tool call errored",
		"Cancelled: parallel tool call",
		"Cancelled: Claude ended the conversation",
		"Streaming fallback - tool execution discarded",
	} {
		if bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return false
}
