package redact

import "strings"

// scan is a text on its way through the masks.
//
// The rules are scanners by hand: Go's regexp has no look-behind, compiling two
// dozen patterns would cost each hook call its start, and a scanner can promise
// what a pattern cannot, that no byte is walked over more than a few times.
// looked counts those bytes, for the test that holds the promise: every loop
// over the text adds what it walked.
type scan struct {
	s      string
	looked int
}

// span is the bytes of a secret: from the first to before to.
type span struct{ from, to int }

// finder answers the first secret of its kind whose rule begins at or after at.
// Only characters before at may be looked back on.
type finder func(t *scan, at int) (span, bool)

// mask replaces every secret that find knows. A text without one is not copied.
func (t *scan) mask(find finder) {
	var out strings.Builder
	at := 0
	for {
		hit, ok := find(t, at)
		if !ok {
			break
		}
		out.WriteString(t.s[at:hit.from])
		out.WriteString(masked)
		at = hit.to
	}
	if at > 0 {
		out.WriteString(t.s[at:])
		t.s = out.String()
	}
}

// index is where literal stands next, at or after at, or -1.
func (t *scan) index(literal string, at int) int {
	n := strings.Index(t.s[at:], literal)
	if n < 0 {
		t.looked += len(t.s) - at
		return -1
	}
	t.looked += n + len(literal)
	return at + n
}

// run is the end of the bytes of class c from i on.
func (t *scan) run(i int, c class) int {
	from := i
	for i < len(t.s) && c(t.s[i]) {
		i++
	}
	t.looked += i - from + 1
	return i
}

// runFold is run with the letters that fold into ASCII.
func (t *scan) runFold(i int, c class) int {
	from := i
	for i < len(t.s) {
		b, width := foldAt(t.s, i)
		if !c(b) {
			break
		}
		i += width
	}
	t.looked += i - from + 1
	return i
}

// spaces is the end of the white space from i on.
func (t *scan) spaces(i int) int {
	return t.until(i, func(r rune) bool { return !isSpace(r) })
}

// until is where the first character that stops stands, from i on.
func (t *scan) until(i int, stops func(rune) bool) int {
	end := len(t.s)
	if n := strings.IndexFunc(t.s[i:], stops); n >= 0 {
		end = i + n
	}
	t.looked += end - i + 1
	return end
}

// quoted is the end of what the quote before i opened: its matching quote or the
// end of the line, so a forgotten quote hides one line and not the whole text. A
// backslash takes the next character along, but no line break.
func (t *scan) quoted(i int, quote byte) int {
	from := i
	for i < len(t.s) && t.s[i] != quote && t.s[i] != '\n' {
		if t.s[i] == '\\' {
			if i+1 == len(t.s) || t.s[i+1] == '\n' {
				break
			}
			i++
		}
		i++
	}
	t.looked += i - from + 1
	return i
}

// quoteAt is the quotation mark at i, or 0.
func (t *scan) quoteAt(i int) byte {
	if i < len(t.s) && (t.s[i] == '"' || t.s[i] == '\'') {
		return t.s[i]
	}
	return 0
}

// value is the secret at i: inside its quotes, spaces included, or up to a
// character that stops. An empty one is none.
func (t *scan) value(i int, stops func(rune) bool) (span, bool) {
	if q := t.quoteAt(i); q != 0 {
		return t.rest(i+1, q, stops)
	}
	return t.rest(i, 0, stops)
}

// rest is value with the quote (or 0) already behind it.
func (t *scan) rest(i int, quote byte, stops func(rune) bool) (span, bool) {
	end := i
	if quote != 0 {
		end = t.quoted(i, quote)
	} else {
		end = t.until(i, stops)
	}
	return span{i, end}, end > i
}
