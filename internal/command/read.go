package command

import "strings"

// reader reads a script into its simple commands, those of substitutions,
// subshells, loops and functions included, in the order of their ends.
type reader struct {
	text  string
	at    int
	depth int
	calls []*call
	here  []heredoc // the ones whose text comes after this line
	bad   bool      // the text is no script
}

// read returns the commands of a script. ok is false when a quote or a
// parenthesis stays open, one closes that isn't, or the nesting is too deep.
func read(text string, depth int) (calls []*call, ok bool) {
	r := reader{text: text, depth: depth}
	r.list(0)
	return r.calls, !r.bad
}

// fail ends the reading.
func (r *reader) fail() { r.bad, r.at = true, len(r.text) }

func (r *reader) done() bool { return r.at >= len(r.text) }

// next is the byte ahead of the current one by n, 0 behind the end.
func (r *reader) next(n int) byte {
	if r.at+n >= len(r.text) {
		return 0
	}
	return r.text[r.at+n]
}

func (r *reader) has(prefix string) bool { return strings.HasPrefix(r.text[r.at:], prefix) }

// nest counts one level in and reports whether it may be read.
func (r *reader) nest() bool {
	if r.depth++; r.depth > maxDepth {
		r.fail()
	}
	return !r.bad
}

// nested reads a script inside this one, that of backquotes.
func (r *reader) nested(text string) {
	calls, ok := read(text, r.depth+1)
	r.calls = append(r.calls, calls...)
	if !ok {
		r.fail()
	}
}

// blanks skips what separates words, and lines that go on on the next.
func (r *reader) blanks() {
	for !r.done() {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '\\' && r.next(1) == '\n':
			r.at += 2
		default:
			return
		}
	}
}

// gaps skips blanks, comments and ends of lines.
func (r *reader) gaps() {
	for r.blanks(); !r.done(); r.blanks() {
		switch r.text[r.at] {
		case '#':
			r.comment()
		case '\n':
			r.newline()
		default:
			return
		}
	}
}

func (r *reader) comment() {
	if i := strings.IndexByte(r.text[r.at:], '\n'); i >= 0 {
		r.at += i
		return
	}
	r.at = len(r.text)
}

// arithmetic skips ((…)) from its first parenthesis and reports whether it was
// one: two parentheses also begin a subshell in a subshell.
func (r *reader) arithmetic() bool {
	if !r.has("((") {
		return false
	}
	open := 0
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				if r.text[i-1] != ')' {
					return false
				}
				inner := r.text[r.at+2 : i-1]
				r.at = i + 1
				r.expansions(inner)
				return true
			}
		}
	}
	return false
}
