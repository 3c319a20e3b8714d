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

// withClock is where the date that ends at end ends with the clock time behind it.
func (n number) withClock(end int) int {
	if c := n.byte(end); end == 0 || c != 'T' && c != ' ' && c != '_' && c != '-' {
		return end
	}
	if clock := n.clock(end + 1); clock > 0 {
		return clock
	}
	if last := n.digits(end + 1); last == end+7 { // 20261130T101619Z
		return n.zone(last)
	}
	return end
}

// day is where 2026-11-30, 2026/11/30, 30.11.2026, 11/30/2026 or 20261130 ends;
// first is where its first digits do.
func (n number) day(first int) int {
	mark := n.b[first]
	switch first - n.at {
	case 1, 2:
		if mark == '.' || mark == '/' {
			return n.rest(first, mark, 4, 4)
		}
	case 4:
		if n.isYear() && (mark == '-' || mark == '.' || mark == '/') {
			return n.rest(first, mark, 1, 2)
		}
	case 8:
		if n.isYear() && n.digits(first+1) == first+7 && mark != '/' && mark != '.' {
			return first
		}
	}
	return 0
}

func (n number) isYear() bool {
	a, b := n.b[n.at], n.b[n.at+1]
	return a == '1' && b == '9' || a == '2' && b == '0'
}

// rest is where a date ends that goes on at i with mark, one or two digits, mark
// and so many digits; 0 where it doesn't.
func (n number) rest(i int, mark byte, least, most int) int {
	second := n.digits(i + 1)
	if second == i+1 || second > i+3 || n.byte(second) != mark {
		return 0
	}
	end := n.digits(second + 1)
	if size := end - second - 1; size < least || size > most {
		return 0
	}
	return end
}

// afterMonth tells whether the number is the day of Nov 30, and from where to
// leave it out: one digit may have more spaces before it.
func (n number) afterMonth(least, end int) (from int, ok bool) {
	if end-n.at > 2 || n.at == 0 || n.b[n.at-1] != ' ' {
		return 0, false
	}
	for from = n.at; from > 0 && n.b[from-1] == ' '; from-- {
	}
	return max(from, least), from >= 3 && isMonth(n.b[from-3:from])
}

// beforeMonth is where 30 Nov or 30 Nov 2026 ends, whose day ends at end.
func (n number) beforeMonth(end int) int {
	if end-n.at > 2 || len(n.b) < end+4 || !isMonth(n.b[end+1:end+4]) {
		return 0
	}
	end += 4
	if n.byte(end) == ' ' && n.digits(end+1) == end+5 {
		end += 5
	}
	return end
}

func isMonth(b []byte) bool {
	switch string(b) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}
