package redact

import (
	"strings"
	"unicode"
)

const ellipsis = "..."

// Line makes untrusted text one inert line for a terminal or a Markdown report:
// secrets masked, control characters and line breaks turned into spaces,
// backticks and table pipes replaced, runs of spaces made one. The line has at
// most limit characters (runes, not bytes), the "..." of a cut included; below
// a limit of 3 a cut line is the bare "...".
func Line(text string, limit int) string {
	line := strings.Map(inert, Secrets(text))
	// Space is the only white space that inert leaves, so Fields splits on it alone.
	line = strings.Join(strings.Fields(line), " ")
	return cut(line, limit)
}

// Code is Line inside Markdown inline code, where links, HTML and bare URLs stay
// literal. Text with nothing to show is `(empty)`, as a bare pair of backticks
// renders as two stray backticks.
func Code(text string, limit int) string {
	line := Line(text, limit)
	if line == "" {
		line = "(empty)"
	}
	return "`" + line + "`"
}

// inert is r, or what stands for it where it could break out of its line, its
// table cell or its inline code.
func inert(r rune) rune {
	switch {
	case r == '`':
		return '\''
	case r == '|':
		return '/'
	case !unicode.IsPrint(r):
		return ' '
	}
	return r
}

// cut shortens line to limit characters. It counts no further than it must: a
// tool input can be long and a limit is short.
func cut(line string, limit int) string {
	keep := max(limit-len(ellipsis), 0)
	end, n := 0, 0
	for i := range line {
		if n == keep {
			end = i
		}
		if n == max(limit, 0) {
			return line[:end] + ellipsis
		}
		n++
	}
	return line
}
