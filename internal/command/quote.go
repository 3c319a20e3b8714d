package command

import (
	"strconv"
	"strings"
)

// word reads one word and takes its quotes off.
func (r *reader) word() word {
	var text strings.Builder
	w := word{}
	for !r.bad && !r.done() {
		c := r.text[r.at]
		if r.endsWord(c, &text, w) {
			break
		}
		switch c {
		case '\'', '"', '\\':
			w.quote = true
		case '=':
			if w.equal == 0 && !w.quote && isName(strings.TrimSuffix(text.String(), "+")) {
				w.equal = text.Len()
			}
		}
		r.piece(c, &text)
	}
	w.text = text.String()
	return w
}

// endsWord: a parenthesis goes on only in a pattern, @(a|b), in an array,
// NAME=(…), and in a process substitution, <(…).
func (r *reader) endsWord(c byte, text *strings.Builder, w word) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ';', '&', '|', ')':
		return true
	case '<', '>':
		return r.next(1) != '('
	case '(':
		before := byte(0)
		if text.Len() > 0 {
			before = text.String()[text.Len()-1]
		}
		return strings.IndexByte("?*+@!", before) < 0 && (before != '=' || w.equal != text.Len()-1 || w.equal == 0)
	}
	return false
}

// piece reads what a byte outside of quotes begins.
func (r *reader) piece(c byte, w *strings.Builder) {
	switch c {
	case '\'':
		r.single(w)
	case '"':
		r.at++
		r.quoted('"', w)
	case '\\':
		r.escape(w)
	case '$':
		r.dollar(false, w)
	case '`':
		r.backquote(w)
	case '<', '>':
		r.at += 2
		w.WriteString("$()")
		r.list(')')
	case '(':
		r.group(w)
	default:
		r.at++
		w.WriteByte(c)
	}
}

func (r *reader) single(w *strings.Builder) {
	inner, _, closed := strings.Cut(r.text[r.at+1:], "'")
	w.WriteString(inner)
	if r.at += len(inner) + 2; !closed {
		r.fail()
	}
}

// escape: a backslash takes the next byte as it is, and the end of a line away.
func (r *reader) escape(w *strings.Builder) {
	if c := r.next(1); c != 0 && c != '\n' {
		w.WriteByte(c)
	}
	r.at = min(r.at+2, len(r.text))
}

// group reads the words in the parentheses of an array or a pattern.
func (r *reader) group(w *strings.Builder) {
	if !r.nest() {
		return
	}
	for r.at++; !r.bad; {
		r.gaps()
		start := r.at
		if inner := r.word(); r.at > start {
			w.WriteString(inner.text + " ")
			continue
		}
		if r.done() {
			r.fail()
			break
		}
		if r.at++; r.text[start] == ')' {
			break
		}
	}
	r.depth--
}

// quoted reads up to a double quote, or a heredoc's text to its end.
func (r *reader) quoted(end byte, w *strings.Builder) {
	for !r.done() {
		switch c := r.text[r.at]; {
		case c == end && end != 0:
			r.at++
			return
		case c == '\\' && strings.IndexByte("$`\"\\\n", r.next(1)) >= 0:
			r.escape(w)
		case c == '$':
			r.dollar(true, w)
		case c == '`':
			r.backquote(w)
		default:
			r.at++
			w.WriteByte(c)
		}
	}
	if end != 0 {
		r.fail()
	}
}

// backquote reads `…`, in which a backslash before a backquote is taken off.
func (r *reader) backquote(w *strings.Builder) {
	var inner strings.Builder
	for r.at++; !r.done(); r.at++ {
		c := r.text[r.at]
		if c == '`' {
			r.at++
			w.WriteString("$()")
			r.nested(inner.String())
			return
		}
		if c == '\\' && strings.IndexByte("$`\\", r.next(1)) >= 0 {
			r.at++
			c = r.next(0)
		}
		inner.WriteByte(c)
	}
	r.fail()
}

// ansi reads $'…'.
func (r *reader) ansi(w *strings.Builder) {
	for r.at += 2; !r.done(); {
		switch r.text[r.at] {
		case '\'':
			r.at++
			return
		case '\\':
			value, _, tail, err := strconv.UnquoteChar(r.text[r.at:], '\'')
			if err == nil {
				w.WriteRune(value)
				r.at = len(r.text) - len(tail)
				continue
			}
			r.escape(w)
		default:
			w.WriteByte(r.text[r.at])
			r.at++
		}
	}
	r.fail()
}
