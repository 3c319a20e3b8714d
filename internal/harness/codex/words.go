package codex

import (
	"bytes"
	"strings"
)

// shown is how much of a result's text a detailed event has, in bytes.
const shown = 300

func beginning(text []byte) string {
	return strings.ToValidUTF8(string(text[:min(len(text), shown)]), "")
}

// unquoted is a string as it is written without its quotes, and any other value
// as it is.
func unquoted(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return raw
	}
	return raw[1 : len(raw)-1]
}

// withoutHead is an output, as it is written, without the lines that Codex puts
// in front: a chunk's id, the wall time, a session's id and the count of tokens
// differ where the output does not (0.171.0).
func withoutHead(raw []byte) []byte {
	const mark = `\nOutput:\n`
	if !starts(raw, heads[:]) {
		return raw
	}
	i := bytes.Index(raw[:min(len(raw), 600)], []byte(mark))
	if i < 0 {
		return raw
	}
	return raw[i+len(mark):]
}

var heads = [...]string{"Chunk ID: ", "Wall time: ", "Exit code: ", "Process exited with code ", "Process running with session ID "}

func starts(text []byte, words []string) bool {
	for _, w := range words {
		if bytes.HasPrefix(text, []byte(w)) {
			return true
		}
	}
	return false
}

// ownWords is what Codex itself says of a call that came to nothing: all of the
// output, what follows the head of an MCP tool's, or the error of a script.
func ownWords(text []byte) []byte {
	text = text[:min(len(text), enough)]
	switch {
	case bytes.HasPrefix(text, []byte("Script failed")):
		_, text, _ = bytes.Cut(text, []byte("\nScript error:\n"))
	case bytes.HasPrefix(text, []byte("Wall time: ")):
		_, text, _ = bytes.Cut(text, []byte("\nOutput:\n"))
	}
	return text
}

// isInvalid tells whether the words say that the call was no call at all. Seen in
// 0.171.0: no hook is asked about a tool that there is not, nor about a shell
// command or patch that can't be read; PreToolUse is about other tools' malformed
// arguments. "err: … at line 1 column 5" is what MCP tools say of theirs.
func isInvalid(words []byte) bool {
	if starts(words, refusals[:]) {
		return true
	}
	if bytes.HasPrefix(words, []byte("TypeError: tools.")) { // a script's call of a tool that there is not
		line, _, _ := bytes.Cut(words, []byte("\n"))
		return bytes.HasSuffix(line, []byte(" is not a function"))
	}
	if bytes.HasPrefix(words, []byte("tool `")) {
		return bytes.Contains(words, []byte("` expects a JSON object for arguments"))
	}
	return bytes.HasPrefix(words, []byte("err: ")) && bytes.Contains(words, []byte(" at line 1 column "))
}

var refusals = [...]string{
	"unsupported call: ",
	"unsupported custom tool call: ",
	"failed to parse function arguments: ",
	"apply_patch verification failed: invalid patch: ",
	"SyntaxError: ", // of a script
}

// failures are what Codex says of calls that failed where it tells no exit code
// (0.171.0). MCP tools' failures are told by their log entries.
var failures = [...]string{"apply_patch verification failed: ", "write_stdin failed: ", "unable to locate image at "}
