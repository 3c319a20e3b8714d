package grade

import "strings"

// word is one word of a shell line: where it stands, and what it says without
// its quotes.
type word struct {
	from, to int
	text     string
}

// command is the words of one simple command.
type command []word

// chain splits a line into commands joined by &&. It refuses what a reader this
// small could get wrong: pipes, lists, redirections, substitutions. Whether a
// test command then still does what its author meant is nothing to guess at.
func chain(line string) (commands []command, ok bool) {
	current := command{}
	for at := 0; at < len(line); {
		switch c := line[at]; {
		case c == ' ' || c == '\t':
			at++
		case strings.HasPrefix(line[at:], "&&"):
			if len(current) == 0 {
				return nil, false
			}
			commands, current = append(commands, current), command{}
			at += 2
		default:
			w, ok := readWord(line, at)
			if !ok {
				return nil, false
			}
			current, at = append(current, w), w.to
		}
	}
	return append(commands, current), len(current) > 0
}

func readWord(line string, from int) (w word, ok bool) {
	var text strings.Builder
	at := from
	for at < len(line) && !strings.ContainsRune(" \t", rune(line[at])) {
		switch c := line[at]; c {
		case '\'', '"':
			end := strings.IndexByte(line[at+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(line[at+1:at+1+end], "$`\\") {
				return w, false
			}
			text.WriteString(line[at+1 : at+1+end])
			at += end + 2
			continue
		case '|', '&', ';', '<', '>', '(', ')', '`', '$', '\\', '\n', '\r', '#':
			return w, false
		default:
			text.WriteByte(c)
		}
		at++
	}
	return word{from, at, text.String()}, true
}

// quote is text as one word of a shell line.
func quote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// insert puts text behind a word.
func insert(line string, behind word, text string) string {
	return line[:behind.to] + text + line[behind.to:]
}
