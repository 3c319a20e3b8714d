package claudecode

import (
	"bytes"
	"strings"

	"checkrein/internal/transcript"
)

// shown is how much of a result's text a detailed event has, in bytes.
const shown = 300

// gave gathers the members of a tool_result block, which come in any order.
type gave struct {
	ending
	content []byte // as written
}

func (g *gave) member(r *transcript.Record, name []byte, detailed bool) {
	switch string(name) {
	case "tool_use_id":
		g.id = r.ID()
	case "is_error":
		g.failed = r.Set()
	case "content":
		from := r.Offset()
		g.cancelled, g.invalid, g.text = false, false, ""
		g.read(r, detailed)
		g.content = r.Since(from)
	}
}

// read looks for what Claude Code itself says, in a text or blocks of text.
func (g *gave) read(r *transcript.Record, detailed bool) {
	if r.Kind() == '"' {
		g.remark(r, detailed)
		return
	}
	r.Array(func() {
		r.Object(func(name []byte) {
			if string(name) == "text" {
				g.remark(r, detailed)
			}
		})
	})
}

func (g *gave) remark(r *transcript.Record, detailed bool) {
	most := enough
	if detailed {
		most = 6 * shown // an escape is at most 6 bytes long
	}
	text, ok := r.Head(most)
	if !ok {
		return
	}
	words := plain(text)
	g.cancelled = g.cancelled || starts(words, cancellations[:])
	g.invalid = g.invalid || starts(words, refusals[:])
	if detailed && len(g.text) < shown {
		g.text += string(text[:min(len(text), shown-len(g.text))])
	}
}

// plain is a text without the tag and the word that Claude Code puts in front of
// its own errors.
func plain(text []byte) []byte {
	text = bytes.TrimSpace(text)
	text = bytes.TrimPrefix(text, []byte("<tool_use_error>"))
	return bytes.TrimPrefix(text, []byte("Error: "))
}

func starts(text []byte, words []string) bool {
	for _, w := range words {
		if bytes.HasPrefix(text, []byte(w)) {
			return true
		}
	}
	return false
}

// cancellations say that a call never ran for a reason that lies outside it.
// Wordings: "Sibling tool call errored" up to 2.1.42 (measured there: two of
// three streaks of five failures were one failure and its siblings),
// "Cancelled: parallel tool call Bash(…) errored" seen in 2.1.156-2.1.160; in
// 2.1.332 siblings are no longer cancelled, and what is left says that the
// conversation ended or that a stream was restarted. Other cancellations carry a
// denial kind.
var cancellations = [...]string{
	"Sibling tool call errored",
	"Cancelled: parallel tool call",
	"Cancelled: Claude ended the conversation",
	"Streaming fallback - tool execution discarded",
}

// refusals say that a call was no call at all. Seen in 2.1.332, where of all hooks
// only PostToolBatch is told of such calls: "No such tool available: X"; and
// "InputValidationError: …" for members that are missing, of another type or too
// many, and for what is no JSON.
var refusals = [...]string{"No such tool available", "InputValidationError"}

// settle decides what the result is once all of it was read.
func (g *gave) settle() ending {
	g.text = strings.ToValidUTF8(g.text, "")
	g.output = transcript.SameText(g.failed, parts(g.content)...)
	return g.ending
}

// parts are what counts of a result's content. A long output is replaced by its
// beginning and the name of a file that holds it, another one each time (2.1.332).
func parts(content []byte) [][]byte {
	if len(content) < 2 || content[0] != '"' {
		return [][]byte{content}
	}
	text := content[1 : len(content)-1]
	head := text[:min(len(text), enough)]
	from := bytes.Index(head, []byte("Full output saved to: "))
	if from < 0 || !bytes.Contains(head[:from], []byte("<persisted-output>")) {
		return [][]byte{text}
	}
	end := bytes.Index(text[from:], []byte(`\n`))
	return [][]byte{text[:from], text[from+max(0, end):]}
}
