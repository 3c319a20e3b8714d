package transcript

// duration is where 0.53s, 12 ms or 1m20s ends, 0 where none starts.
func (n number) duration() (end int) {
	for at := n.at; ; {
		last := n.unit(n.amount(at), end > 0)
		if last == 0 {
			return end
		}
		switch end = last; {
		case isDigit(n.byte(end)):
			at = end
		case n.byte(end) == ' ' && isDigit(n.byte(end+1)):
			at = end + 1
		default:
			return end
		}
	}
}

// unit is where the unit of time at i ends, 0 where none starts. After a space a
// single letter but s is a word of its own, unless it goes on with a duration.
func (n number) unit(i int, goesOn bool) int {
	spaced := n.byte(i) == ' '
	if spaced {
		i++
	}
	switch n.byte(i) {
	case 's', 'm', 'u', 'n', 'h', 'd', 'w':
	case 0xc2, 0xce: // of the two letters for micro
	default:
		return 0
	}
	end := n.wordEnd(i)
	if end == 0 || spaced && !goesOn && end == i+1 && n.b[i] != 's' {
		return 0
	}
	switch string(n.b[i:end]) {
	case "s", "m", "h", "d", "ms", "us", "µs", "μs", "ns", "sec", "secs", "second", "seconds",
		"min", "mins", "minute", "minutes", "hr", "hrs", "hour", "hours", "day", "days", "week", "weeks":
		return end
	}
	return 0
}

// wordEnd is where the word at i ends, 0 where it is no unit's: too long, or not
// of small letters alone. Digits may follow.
func (n number) wordEnd(i int) int {
	end := i
	if n.b[end] >= 0x80 {
		end += 2
	}
	for end < len(n.b) && n.b[end] >= 'a' && n.b[end] <= 'z' {
		if end++; end-i > len("minutes")+1 {
			return 0
		}
	}
	if c := n.byte(end); end > len(n.b) || isWord(c) && !isDigit(c) {
		return 0
	}
	return end
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
	for n.byte(to) == '-' && n.hex(to+1) >= to+5 { // a UUID
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
