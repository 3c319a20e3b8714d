package grade

import "strings"

// Body is the text of a test in a file: from the line that has its name to the
// next line that stands as far left, with what closes it. It is no parser: all
// it has to tell is whether a test is the same in two versions of a file. "" means
// that the file has no such name.
func Body(file, name string) string {
	leaf := leafOf(name)
	var out, blanks strings.Builder // blank lines are the body's when more of it follows
	indent, inside := 0, false
	for line := range strings.Lines(file) {
		text := strings.TrimLeft(line, " \t")
		depth := len(line) - len(text)
		if strings.TrimSpace(text) == "" {
			blanks.WriteString(line)
			continue
		}
		was := inside
		switch {
		case !inside && leaf != "" && starts(line, leaf):
			indent, inside = depth, true
		case inside && depth <= indent:
			inside = starts(line, leaf)
		}
		if was && (inside || depth == indent && strings.ContainsRune(")}]e", rune(text[0]))) { // a brace, or Ruby's and Elixir's end
			out.WriteString(blanks.String() + line)
		} else if inside {
			out.WriteString(line)
		}
		blanks.Reset()
	}
	return out.String()
}

// leafOf is the part of a name that stands in the code: without package, class,
// subtests and parameters.
func leafOf(name string) string {
	if at := strings.LastIndex(name, "::"); at >= 0 {
		name = name[at+2:]
	}
	if at := strings.LastIndex(name, " > "); at >= 0 {
		return name[at+3:]
	}
	if strings.HasPrefix(name, "Test") {
		name, _, _ = strings.Cut(name, "/") // Go's subtests
	}
	if at := strings.IndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") {
		name = name[:at] // pytest's parameters
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// starts tells whether a line has the name as a whole word.
func starts(line, name string) bool {
	for from := 0; ; {
		at := strings.Index(line[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !wordByte(line[at-1])) && (end == len(line) || !wordByte(line[end])) {
			return true
		}
		from = at + 1
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
