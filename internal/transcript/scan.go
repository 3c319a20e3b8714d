package transcript

import "bytes"

// peek is the next byte that is no white space, 0 at the end.
func (r *Record) peek() byte {
	for r.at < len(r.line) {
		switch c := r.line[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// fail makes the line malformed; nothing is read from it any more.
func (r *Record) fail() {
	r.bad, r.at = true, len(r.line)
}

// expect takes one byte of punctuation.
func (r *Record) expect(c byte) {
	if r.peek() != c {
		r.fail()
		return
	}
	r.at++
}

// each takes an object or array, whose opening bracket comes next, and calls
// one for each entry.
func (r *Record) each(end byte, one func()) {
	r.at++
	if r.depth++; r.depth > maxDepth {
		r.fail()
		return
	}
	if r.peek() != end {
		one()
		for r.peek() == ',' {
			r.at++
			one()
		}
	}
	r.expect(end)
	r.depth--
}

// value takes the next value and returns it as it is written, nil when the
// line is malformed.
func (r *Record) value() []byte {
	r.peek()
	from := r.at
	r.Skip()
	if r.bad {
		return nil
	}
	return r.line[from:r.at]
}

// Skip passes over the next value.
func (r *Record) Skip() {
	switch r.Kind() {
	case '"':
		r.quoted()
	case '{':
		r.each('}', r.skipMember)
	case '[':
		r.each(']', r.Skip)
	case '0':
		r.number()
	case 't':
		r.word("true")
	case 'f':
		r.word("false")
	case 'n':
		r.word("null")
	default:
		r.fail()
	}
}

func (r *Record) skipMember() {
	r.quoted()
	r.expect(':')
	r.Skip()
}

// quoted takes a string and returns it with its quotes. A quote ends it when
// an even number of backslashes stands before it.
func (r *Record) quoted() []byte {
	if r.peek() != '"' {
		r.fail()
		return nil
	}
	from := r.at
	for at := from + 1; ; {
		i := bytes.IndexByte(r.line[at:], '"')
		if i < 0 {
			r.fail()
			return nil
		}
		at += i
		before := at
		for r.line[before-1] == '\\' {
			before--
		}
		at++
		if (at-1-before)%2 == 0 {
			r.at = at
			return r.line[from:at]
		}
	}
}

func (r *Record) word(w string) {
	if !bytes.HasPrefix(r.line[r.at:], []byte(w)) {
		r.fail()
		return
	}
	r.at += len(w)
}

// number takes -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][-+]?[0-9]+)?
func (r *Record) number() {
	r.optional("-")
	if !r.optional("0") {
		r.digits()
	}
	if r.optional(".") {
		r.digits()
	}
	if r.optional("eE") {
		r.optional("+-")
		r.digits()
	}
}

// optional takes one byte if it is one of those.
func (r *Record) optional(those string) bool {
	if r.at < len(r.line) && bytes.IndexByte([]byte(those), r.line[r.at]) >= 0 {
		r.at++
		return true
	}
	return false
}

// digits takes at least one digit.
func (r *Record) digits() {
	from := r.at
	for r.at < len(r.line) && r.line[r.at] >= '0' && r.line[r.at] <= '9' {
		r.at++
	}
	if r.at == from {
		r.fail()
	}
}
