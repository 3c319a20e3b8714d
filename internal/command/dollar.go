package command

import "strings"

// dollar reads what a $ begins. Variables stay in the word as they are written.
func (r *reader) dollar(inQuotes bool, w *strings.Builder) {
	switch next := r.next(1); {
	case next == '(':
		r.substitution(w)
	case next == '{':
		r.braces(inQuotes, w)
	case next == '\'' && !inQuotes:
		r.ansi(w)
	case next == '"' && !inQuotes:
		r.at++
	default:
		r.at++
		w.WriteByte('$')
	}
}

func (r *reader) substitution(w *strings.Builder) {
	w.WriteString("$()")
	if r.at++; r.arithmetic() {
		return
	}
	r.at++
	r.list(')')
}

// braces reads ${…}, whose default value may run commands.
func (r *reader) braces(inQuotes bool, w *strings.Builder) {
	if !r.nest() {
		return
	}
	r.at += 2
	w.WriteString("${")
	for !r.bad {
		switch c := r.next(0); {
		case r.done():
			r.fail()
		case c == '}':
			r.at++
			r.depth--
			w.WriteByte('}')
			return
		case c == '"':
			r.at++
			r.quoted('"', w)
		case c == '\\':
			r.escape(w)
		case c == '\'' && !inQuotes:
			r.single(w)
		case c == '$':
			r.dollar(inQuotes, w)
		case c == '`':
			r.backquote(w)
		default:
			r.at++
			w.WriteByte(c)
		}
	}
}
