package transcript

import "bytes"

// tally tells whether the number says how many tests or errors there are. That it
// changes is often all that shows that work on them moves on: "5 failed, 7 passed"
// (pytest, jest, cargo), "Found 24 errors", "Failures: 2" (JUnit, .NET). A number
// that names something, as in "job 81 failed", is none.
func (n number) tally() bool {
	end := n.amount(n.at)
	if n.byte(end) == ' ' {
		switch string(n.word(end + 1)) {
		case "errors", "error", "failures", "failure", "problems", "problem", "warnings", "warning", "tests", "previous":
			return true
		case "failed", "failing", "passed", "passing":
			return !n.named()
		}
	}
	label := bytes.TrimRight(n.b[:n.at], " ")
	if len(label) == len(n.b[:n.at]) || !bytes.HasSuffix(label, []byte(":")) {
		return false
	}
	switch string(lastWord(label[:len(label)-1])) {
	case "Failures", "Failed", "Errors", "Passed":
		return true
	}
	return false
}

// named tells whether a word or a # stands before the number.
func (n number) named() bool {
	before := bytes.TrimRight(n.b[:n.at], " ")
	if len(before) == 0 {
		return false
	}
	if end := len(before) - 2; end >= 0 && isEscapedSpace(before[end:]) && !escaped(before, end) {
		return false
	}
	last := before[len(before)-1]
	return last == '#' || isWord(last)
}

// word is the lower-case word at i.
func (n number) word(i int) []byte {
	end := i
	for end < len(n.b) && n.b[end] >= 'a' && n.b[end] <= 'z' {
		end++
	}
	return n.b[min(i, end):end]
}

func lastWord(b []byte) []byte {
	from := len(b)
	for from > 0 && (b[from-1]|0x20 >= 'a' && b[from-1]|0x20 <= 'z') {
		from--
	}
	return b[from:]
}
