package transcript

// number looks at the digits at b[at], of a text as JSON spells it.
type number struct {
	b      []byte
	at     int
	failed bool // no number counts
}

// span is what to leave out around the number, nothing before least; from is to
// where it counts, and to is then where to look on.
func (n number) span(least int) (from, to int) {
	if n.at >= 2 && n.b[n.at-1] == 'u' && n.b[n.at-2] == '\\' { // \u001b
		return n.at + 4, n.at + 4
	}
	if from, to := n.time(least); to > 0 {
		return from, to
	}
	if !n.failed {
		end := n.amount(n.at)
		return end, end
	}
	if from, to := n.id(least); to > 0 {
		return from, to
	}
	if n.tally() {
		end := n.amount(n.at)
		return end, end
	}
	return n.at, n.digits(n.at)
}

// time is where a clock time, date or duration lies; to is 0 where there is none.
func (n number) time(least int) (from, to int) {
	if !n.starts() {
		return 0, 0
	}
	end := n.digits(n.at)
	if from, ok := n.afterMonth(least, end); ok {
		return from, n.withClock(end)
	}
	if end == len(n.b) {
		return 0, 0
	}
	switch c := n.b[end]; {
	case c == ':':
		return n.at, n.clock(n.at)
	case c == '-' || c == '/' || c == '.' || c == 'T' || c == '_':
		to = n.withClock(n.day(end))
	case c == ' ':
		to = n.withClock(n.beforeMonth(end))
	}
	if to == 0 {
		to = n.duration()
	}
	return n.at, to
}

// starts tells whether the number is no part of a word. The letter of an escape
// such as \n is none.
func (n number) starts() bool {
	if n.at == 0 {
		return true
	}
	c := n.b[n.at-1]
	return !isWord(c) && c != ':' && c != '.' || n.at >= 2 && n.b[n.at-2] == '\\' && (c == 'n' || c == 't' || c == 'r')
}

// digits is where the digits at i end.
func (n number) digits(i int) int {
	for i < len(n.b) && isDigit(n.b[i]) {
		i++
	}
	return i
}

// amount is where a number like 1,234.5 ends.
func (n number) amount(i int) int {
	for i = n.digits(i); ; i = n.digits(i + 1) {
		if c := n.byte(i); c != '.' && c != ',' || !isDigit(n.byte(i+1)) {
			return i
		}
	}
}

// byte is the byte at i, 0 behind the end.
func (n number) byte(i int) byte {
	if i < len(n.b) {
		return n.b[i]
	}
	return 0
}

// clock is where 12:34, 12:34:56.789 or one with a zone ends, 0 where none starts.
func (n number) clock(i int) int {
	end := n.digits(i)
	if end-i > 2 || !n.sixty(end) {
		return 0
	}
	end += 3
	if n.sixty(end) {
		end += 3
		if c := n.byte(end); (c == '.' || c == ',') && isDigit(n.byte(end+1)) {
			end = n.digits(end + 1)
		}
	} else if n.byte(end) == ':' {
		return 0
	}
	return n.zone(end)
}

// sixty tells whether a colon and two digits, no more, stand at i.
func (n number) sixty(i int) bool {
	tens := n.byte(i + 1)
	return n.byte(i) == ':' && tens >= '0' && tens <= '5' && n.digits(i+1) == i+3
}

// zone is where Z or +01:00 at i ends, or i.
func (n number) zone(i int) int {
	c := n.byte(i)
	if c == 'Z' {
		return i + 1
	}
	if c != '+' && c != '-' {
		return i
	}
	switch end := n.digits(i + 1); {
	case end == i+5:
		return end
	case end == i+3 && n.sixty(end):
		return end + 3
	}
	return i
}
