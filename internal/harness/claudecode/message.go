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
			rec.streaming, rec.stopped = r.Kind() == 'n', r.Kind() == '"'
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
		gave     gave
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
		case "text":
			from := r.Offset()
			textPart = noPart
			if text, ok := r.Head(enough); ok {
				textPart = textKind(text)
			}
			rec.words += r.Offset() - from
		case "thinking":
			rec.words += r.Size()
		case "input": // the model wrote it, too
			from := r.Offset()
			rec.words += r.Size()
			if rec.detailed {
				c.input = bytes.Clone(r.Since(from))
			}
		default:
			gave.member(r, name, rec.detailed)
		}
	})
	switch {
	case len(rec.calls)+len(rec.parts) >= maxHeld:
	case kind == "tool_use":
		rec.calls = append(rec.calls, c)
	case kind == "tool_result":
		rec.parts = append(rec.parts, part{toolResult, gave.settle()})
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
