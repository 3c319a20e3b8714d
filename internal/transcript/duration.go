package transcript

import "bytes"

// duration is where 0.53s, 12 ms or 1m20s ends, 0 where none starts.
func (n number) duration() (end int) {
	for at := n.at; ; {
		last := n.unit(n.amount(at), end > 0)
		if last == 0 {
			return end
		}
		if end = last; n.is(end, " ") && n.is(end+1, "0123456789") {
			at = end + 1
		} else if n.is(end, "0123456789") {
			at = end
		} else {
			return end
		}
	}
}

// unit is where the unit of time at i ends, 0 where none starts. After a space a
// single letter but s is a word of its own, unless it goes on with a duration.
func (n number) unit(i int, goesOn bool) int {
	spaced := n.is(i, " ")
	if spaced {
		i++
	}
	end := i
	if micro := n.b[min(i, len(n.b)):]; bytes.HasPrefix(micro, []byte("µ")) || bytes.HasPrefix(micro, []byte("μ")) {
		end += 2
	}
	for end < len(n.b) && end-i < 9 && n.b[end] >= 'a' && n.b[end] <= 'z' {
		end++
	}
	if end < len(n.b) && isWord(n.b[end]) && !isDigit(n.b[end]) {
		return 0
	}
	switch string(n.b[min(i, end):end]) {
	case "m", "h", "d":
		if spaced && !goesOn {
			return 0
		}
		return end
	case "s", "ms", "us", "µs", "μs", "ns", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes",
		"hr", "hrs", "hour", "hours", "day", "days", "week", "weeks":
		return end
	}
	return 0
}

// id is where the hex id or address around the number lies, of seven digits or
// more, nothing before least; to is 0 where there is none.
func (n number) id(least int) (from, to int) {
	from, to = n.at, n.at
	for from > least && isHex(n.b[from-1]) {
		from--
	}
	if from > least && isWord(n.b[from-1]) && n.b[from-1] != 'x' && !escaped(n.b, from-1) {
		return 0, 0
	}
	if to = n.hex(to); to-from < 7 {
		return 0, 0
	}
	for n.is(to, "-") && n.hex(to+1) >= to+5 { // a UUID
		to = n.hex(to + 1)
	}
	if to < len(n.b) && isWord(n.b[to]) {
		return 0, 0
	}
	return from, to
}

func (n number) hex(i int) int {
	for i < len(n.b) && isHex(n.b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isWord(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
