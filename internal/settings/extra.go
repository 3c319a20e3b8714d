package settings

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// splitComments cuts extra behind its last comment, before the line end of a
// line comment. line tells that the comment needs one.
func splitComments(extra hujson.Extra) (comments, space hujson.Extra, line bool) {
	end := 0
	for i := 0; i < len(extra); {
		n := commentLength(extra[i:])
		if n == 0 {
			i++
			continue
		}
		line = extra[i+1] == '/'
		i += n
		end = i
	}
	return extra[:end:end], extra[end:], line
}

// commentLength is the length of the comment that text starts with, without the
// line end of a line comment; 0 when it starts with none.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return len(text)
		}
		return len(bytes.TrimSuffix(text[:n], []byte("\r")))
	case bytes.HasPrefix(text, []byte("/*")):
		n := bytes.Index(text[2:], []byte("*/"))
		if n < 0 {
			return len(text)
		}
		return n + 4
	}
	return 0
}

// glue joins comments and what follows them, with a line end between where a
// line comment would swallow it.
func (s style) glue(comments hujson.Extra, line bool, next hujson.Extra) hujson.Extra {
	if line && !bytes.HasPrefix(next, []byte("\n")) && !bytes.HasPrefix(next, []byte("\r\n")) {
		return join(comments, []byte(s.newline), next)
	}
	return join(comments, next)
}

// join copies its parts into one extra, nil when all are empty: parts of the
// tree share the parsed text, so none is ever appended to in place.
func join(parts ...[]byte) hujson.Extra {
	var out hujson.Extra
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

// lineBreak is where the last line of white space starts, its line end
// included; -1 where there is one line only.
func lineBreak(space []byte) int {
	i := bytes.LastIndexByte(space, '\n')
	if i > 0 && space[i-1] == '\r' {
		i--
	}
	return i
}

// isLineBreak: one line end and an indentation, nothing else.
func isLineBreak(space []byte) bool {
	return lineBreak(space) == 0 && len(bytes.TrimSpace(space)) == 0
}
