package transcript

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
