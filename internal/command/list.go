package command

import "strings"

// list is the reading of commands up to a closing parenthesis or to the end.
type list struct {
	*reader
	end   byte
	cases int   // case commands that are open
	cur   *call // the command being read
	last  *call // the one before
}

func (r *reader) list(end byte) { r.listFrom(end, nil) }

// listFrom reads a list whose first command reads the output of another.
func (r *reader) listFrom(end byte, from *call) {
	if r.nest() {
		l := list{reader: r, end: end, cur: &call{from: from}}
		for l.step() {
		}
	}
	r.depth--
}

// step reads one word or operator and reports whether the list goes on.
func (l *list) step() bool {
	l.blanks()
	if l.done() {
		l.finish()
		if l.end != 0 {
			l.fail()
		}
		return false
	}
	switch c := l.text[l.at]; c {
	case '#':
		l.comment()
	case '\n':
		l.finish()
		l.newline()
	case ';':
		l.semicolon()
	case '&':
		l.ampersand()
	case '|':
		l.pipe()
	case '(':
		l.parenthesis()
	case ')':
		l.finish()
		if l.at++; l.end != ')' {
			l.fail()
		}
		return false
	case '<', '>':
		l.angle()
	default:
		l.take()
	}
	return !l.bad
}

// finish ends the command that is being read.
func (l *list) finish() {
	if l.cur.empty() {
		return
	}
	l.calls = append(l.calls, l.cur)
	l.last, l.cur = l.cur, &call{}
}

func (l *list) semicolon() {
	l.finish()
	start := l.at
	for !l.done() && (l.text[l.at] == ';' || l.text[l.at] == '&') {
		l.at++
	}
	if l.at-start > 1 && l.cases > 0 {
		l.pattern()
	}
}

func (l *list) ampersand() {
	if l.next(1) == '>' {
		l.at++
		l.angle()
		return
	}
	l.finish()
	l.at++
	if l.next(0) == '&' {
		l.at++
	}
}

func (l *list) pipe() {
	l.finish()
	l.at++
	switch l.next(0) {
	case '|':
		l.at++
	case '&':
		l.at++
		fallthrough
	default:
		l.cur.from = l.last
	}
}

// parenthesis is a subshell, arithmetic, or what makes a word the name of a
// function.
func (l *list) parenthesis() {
	switch {
	case len(l.cur.words)+len(l.cur.assigns) == 0:
		if !l.arithmetic() {
			l.at++
			l.listFrom(')', l.cur.from)
			if len(l.calls) > 0 {
				l.last = l.calls[len(l.calls)-1]
			}
		}
	case len(l.cur.words) == 1 && strings.HasPrefix(strings.TrimLeft(l.text[l.at+1:], " \t"), ")"):
		l.at += strings.IndexByte(l.text[l.at:], ')') + 1
		l.cur.words = nil
	default:
		l.fail()
	}
}

// take reads a word into the command, if it is none of the shell's own.
func (l *list) take() {
	start := l.at
	w := l.word()
	switch {
	case l.bad:
	case l.at == start: // a byte that begins nothing
		l.fail()
	case l.isDescriptor(w):
	case w.text == "do" && len(l.cur.words) == 2 && l.cur.program() == "for": // for NAME do: for all arguments
		l.finish()
	case len(l.cur.words) > 0:
		l.cur.words = append(l.cur.words, w)
	case w.equal > 0:
		l.cur.assigns = append(l.cur.assigns, w)
	case w.quote || len(l.cur.assigns) > 0 || !l.keyword(w.text):
		l.cur.words = append(l.cur.words, w)
	}
}

// isDescriptor: the 2 of 2>file is no argument.
func (l *list) isDescriptor(w word) bool {
	c := l.next(0)
	return (c == '<' || c == '>') && l.next(1) != '(' && w.text != "" && strings.Trim(w.text, "0123456789") == ""
}
