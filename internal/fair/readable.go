package fair

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// readable takes the escapes of JSON and XML out of what a run printed or
// reported, whatever of the two it is, and the colours of a terminal. Text that
// is neither stays as it is, but for what looks like an escape.
func readable(text string) string {
	if !strings.ContainsAny(text, "\\&\x1b") {
		return text
	}
	var out strings.Builder
	for {
		at := strings.IndexAny(text, "\\&\x1b")
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		plain, size := unescape(text[at:])
		out.WriteString(text[:at] + plain)
		text = text[at+size:]
	}
}

// unescape reads what starts with a backslash, an ampersand or an escape.
func unescape(s string) (plain string, size int) {
	switch {
	case s[0] == '&':
		return entity(s)
	case s[0] == '\x1b':
		return "", colour(s)
	case len(s) < 2:
		return s, 1
	}
	switch s[1] {
	case 'n', 'r':
		return "\n", 2
	case 't':
		return "\t", 2
	case '"', '\'', '/':
		return s[1:2], 2
	case '\\':
		return `\`, 2
	case 'u':
		if len(s) >= 6 {
			if r, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
				return character(r), 6
			}
		}
	}
	return `\`, 1
}

// entity reads one of XML.
func entity(s string) (plain string, size int) {
	const longest = 10
	name, _, ok := strings.Cut(s[1:min(len(s), longest)], ";")
	if !ok {
		return "&", 1
	}
	size = len(name) + 2
	switch name {
	case "lt":
		return "<", size
	case "gt":
		return ">", size
	case "amp":
		return "&", size
	case "quot":
		return `"`, size
	case "apos":
		return "'", size
	}
	digits, numbered := strings.CutPrefix(name, "#")
	base := 10
	if hex, is := strings.CutPrefix(digits, "x"); is {
		digits, base = hex, 16
	}
	if r, err := strconv.ParseUint(digits, base, 21); numbered && err == nil {
		return character(r), size
	}
	return "&", 1
}

func character(r uint64) string {
	if r == 0x1b || !utf8.ValidRune(rune(r)) {
		return " "
	}
	return string(rune(r))
}

// colour measures the sequence that an escape starts.
func colour(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s) && i < 20; i++ {
		if s[i] >= '@' && s[i] <= '~' {
			return i + 1
		}
	}
	return 2
}
