package codex

import (
	"bytes"
	"unicode/utf8"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// outcome is what a tool's output tells of how the call ended.
type outcome struct {
	refusal harness.Result // Refused, Neutral, or Pending when nobody said no
	failed  bool           // whatever the tool
	exits   bool           // it told an exit code by itself
	bad     bool           // the exit code is not 0; counts for every tool if exits, else for shells only
	invalid bool           // failed, because the call was no call at all
	output  uint64         // see harness.Event
	text    string         // the beginning; only where details are wanted
}

// denied tells whether the call never ran.
func (o outcome) denied() bool { return o.refusal == harness.Neutral || o.refusal == harness.Refused }

// result is how the call ended. failed: its log entry already said so.
func (o outcome) result(shell, failed bool) harness.Result {
	switch {
	case o.refusal != harness.Pending:
		return o.refusal
	case failed || o.failed || o.bad && (o.exits || shell):
		return harness.Failed
	default:
		return harness.Succeeded
	}
}

// enough is how much of an output is looked at, as it is written: what Codex
// itself says stands within the first lines.
const enough = 4 << 10

// readOutcome judges the output member of a line: a text, or blocks of text.
func readOutcome(r *transcript.Record, detailed bool) outcome {
	from := r.Offset()
	if r.Starts("{") {
		text, _ := r.Text()
		if o, ok := legacyOutcome(text, detailed); ok {
			return o
		}
		return judged(text).gave(text, r.Since(from), detailed)
	}
	text := blocks(r)
	return judged(text).gave(text, r.Since(from), detailed)
}

func judged(text []byte) outcome {
	o := judge(text)
	o.bad = badExit(cut(text, 2000))
	words := ownWords(text)
	o.invalid = isInvalid(words)
	o.failed = o.failed || o.invalid || starts(words, failures[:])
	return o
}

// gave adds what the output is: a text and how it is written.
func (o outcome) gave(text, raw []byte, detailed bool) outcome {
	o.output = transcript.SameText(o.failed || o.bad, withoutHead(unquoted(raw)))
	if detailed {
		o.text = beginning(text)
	}
	return o
}

// legacyOutcome judges what older shell tools gave: a JSON text
// {"output": …, "metadata": {"exit_code": N}}.
func legacyOutcome(text []byte, detailed bool) (o outcome, ok bool) {
	var (
		r                   transcript.Record
		output, raw         []byte
		hasOutput, metadata bool
		exits, bad          bool
	)
	ok = r.Read(text, func(name []byte) {
		switch string(name) {
		case "output":
			from := r.Offset()
			text, _ := r.Head(enough)
			output, hasOutput = bytes.Clone(text), true
			raw = r.Since(from)
		case "metadata":
			exits, bad = false, false
			metadata = r.Object(only("exit_code", func() {
				exits = r.Kind() != 'n'
				n, isInt := r.Int()
				bad = isInt && n != 0
			}))
		}
	})
	if !ok || !hasOutput || !metadata {
		return outcome{}, false
	}
	o = judge(output)
	o.exits, o.bad = exits, bad
	if !exits {
		o.bad = badExit(cut(output, 2000))
	}
	return o.gave(output, raw, detailed), true
}

// judge looks for what Codex itself says in an output.
func judge(text []byte) outcome {
	o := outcome{refusal: refusal(cut(text, 200)), failed: bytes.HasPrefix(text, []byte("Script failed"))}
	if string(bytes.TrimSpace(text)) == "aborted" || bytes.HasPrefix(text, []byte("aborted by user")) {
		o.refusal = harness.Refused
	}
	return o
}

// refusal tells who said no to a call. Codex puts the words at the start of an
// output; further down they are only quoted.
func refusal(head []byte) harness.Result {
	for _, words := range [...]string{"exec command rejected by user", "patch rejected by user"} {
		if bytes.Contains(head, []byte(words)) {
			return harness.Refused
		}
	}
	for _, words := range [...]string{
		"rejected by configuration", "automatic approval review denied the action", "blocked by PreToolUse hook",
	} {
		if bytes.Contains(head, []byte(words)) {
			return harness.Neutral
		}
	}
	return harness.Pending
}

// badExit tells whether a line says that the command ended with another code
// than 0. The first line that tells a code decides: what follows is the
// command's own output.
func badExit(text []byte) bool {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		rest, ok := bytes.CutPrefix(line, []byte("Exit code: "))
		if !ok {
			rest, ok = bytes.CutPrefix(line, []byte("Process exited with code "))
		}
		if !ok {
			continue
		}
		if bad, ok := badCode(rest); ok {
			return bad
		}
	}
	return false
}

// badCode reads the number that rest begins with; ok is false without one.
func badCode(rest []byte) (bad, ok bool) {
	rest = bytes.TrimPrefix(rest, []byte("-"))
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		ok, bad = true, bad || c != '0'
	}
	return bad, ok
}

// blocks is the beginning of a text, or of the texts of a list of blocks joined by newlines. It is
// only valid until the next value is read.
func blocks(r *transcript.Record) []byte {
	if r.Kind() != '[' {
		text, _ := r.Head(enough)
		return text
	}
	var all []byte
	n := 0
	r.Array(func() {
		r.Object(only("text", func() {
			text, ok := r.Head(enough)
			if !ok {
				return
			}
			if n++; n > 1 {
				all = append(all, '\n')
			}
			all = append(all, text...)
		}))
	})
	return all
}

// cut is text up to its first n characters.
func cut(text []byte, n int) []byte {
	for i := 0; len(text)-i > n; n-- { // no character is shorter than a byte
		if n == 0 {
			return text[:i]
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return text
}
