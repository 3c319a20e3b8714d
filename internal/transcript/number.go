package transcript

import "strings"

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
		to = n.withClock(n.day(n.at))
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
	for i = n.digits(i); i+1 < len(n.b) && (n.b[i] == '.' || n.b[i] == ',') && isDigit(n.b[i+1]); {
		i = n.digits(i + 1)
	}
	return i
}

// is tells what byte stands at i; no digit, letter or mark does behind the end.
func (n number) is(i int, those string) bool {
	return i < len(n.b) && strings.IndexByte(those, n.b[i]) >= 0
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
		if n.is(end, ".,") && n.digits(end+1) > end+1 {
			end = n.digits(end + 1)
		}
	} else if n.is(end, ":") {
		return 0
	}
	return n.zone(end)
}

// sixty tells whether a colon and two digits, no more, stand at i.
func (n number) sixty(i int) bool {
	return n.is(i, ":") && n.is(i+1, "012345") && n.digits(i+1) == i+3
}

// zone is where Z or +01:00 at i ends, or i.
func (n number) zone(i int) int {
	if n.is(i, "Z") {
		return i + 1
	}
	if !n.is(i, "+-") {
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
	if end == 0 || !n.is(end, "T _-") {
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

// day is where 2026-11-30, 2026/11/30, 30.11.2026, 11/30/2026 or 20261130 ends.
func (n number) day(i int) int {
	var lengths [3]int
	end, mark := i, byte(0)
	for part := range lengths {
		if part > 0 {
			if !n.is(end, "-/.") || mark != 0 && mark != n.b[end] {
				break
			}
			mark = n.b[end]
			end++
		}
		last := n.digits(end)
		lengths[part], end = last-end, last
	}
	year := n.is(i, "12") && n.is(i+1, "90")
	switch a, b, c := lengths[0], lengths[1], lengths[2]; {
	case a == 4 && year && 0 < b && b <= 2 && 0 < c && c <= 2:
		return end
	case 0 < a && a <= 2 && 0 < b && b <= 2 && c == 4 && mark != '-':
		return end
	case a == 8 && b == 0 && year && n.is(end, "T_-") && n.digits(end+1) == end+7:
		return end
	}
	return 0
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
	if n.is(end, " ") && n.digits(end+1) == end+5 {
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
