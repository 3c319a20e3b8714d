package decider

import (
	"strconv"
	"strings"
)

// tomlText is a text in TOML 1.0 as it is read.
type tomlText struct {
	text   string
	at     int
	inline bool // the last value was an inline table
}

type tomlKind int

const (
	tomlBlank tomlKind = iota
	tomlTable
	tomlArray // an entry of an array of tables
	tomlKey
)

// statement reads to behind the newline that ends the next statement.
func (t *tomlText) statement() (kind tomlKind, path []string, ok bool) {
	t.spaces()
	switch rest := t.text[t.at:]; {
	case rest == "" || rest[0] == '\n' || rest[0] == '#' || strings.HasPrefix(rest, "\r\n"):
		return tomlBlank, nil, t.lineEnd()
	case strings.HasPrefix(rest, "[["):
		path, ok = t.header(2, "]]")
		return tomlArray, path, ok
	case rest[0] == '[':
		path, ok = t.header(1, "]")
		return tomlTable, path, ok
	}
	path, ok = t.keys("=")
	return tomlKey, path, ok && t.value() && t.lineEnd()
}

func (t *tomlText) header(width int, shut string) ([]string, bool) {
	t.at += width
	path, ok := t.keys(shut)
	return path, ok && t.lineEnd()
}

func (t *tomlText) spaces() {
	for t.at < len(t.text) && (t.text[t.at] == ' ' || t.text[t.at] == '\t') {
		t.at++
	}
}

// lineEnd reads a comment, if there is one, and the newline.
func (t *tomlText) lineEnd() bool {
	t.spaces()
	rest := t.text[t.at:]
	line, _, more := strings.Cut(rest, "\n")
	if trimmed := strings.TrimSuffix(line, "\r"); trimmed != "" && trimmed[0] != '#' {
		return false
	}
	t.at += len(line)
	if more {
		t.at++
	}
	return true
}

// keys reads a dotted key and what ends it.
func (t *tomlText) keys(end string) (path []string, ok bool) {
	for {
		t.spaces()
		key, ok := t.key()
		if !ok {
			return nil, false
		}
		path = append(path, key)
		t.spaces()
		switch rest := t.text[t.at:]; {
		case strings.HasPrefix(rest, end):
			t.at += len(end)
			return path, true
		case strings.HasPrefix(rest, "."):
			t.at++
		default:
			return nil, false
		}
	}
}

func (t *tomlText) key() (string, bool) {
	from := t.at
	if t.at < len(t.text) && (t.text[t.at] == '"' || t.text[t.at] == '\'') {
		quote := t.text[t.at]
		if !t.quoted(string(quote)) {
			return "", false
		}
		return unquoted(t.text[from:t.at])
	}
	for t.at < len(t.text) && bareKey(t.text[t.at]) {
		t.at++
	}
	return t.text[from:t.at], t.at > from
}

// unquoted is a key without its quotes. Escapes that Go spells otherwise than
// TOML are refused; no key of ours needs one.
func unquoted(text string) (string, bool) {
	if text[0] == '\'' {
		return text[1 : len(text)-1], true
	}
	key, err := strconv.Unquote(text)
	return key, err == nil
}

func bareKey(b byte) bool {
	return b == '-' || b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// value reads a value of any kind: to the end of its line, or of its brackets.
func (t *tomlText) value() bool {
	t.spaces()
	t.inline = strings.HasPrefix(t.text[t.at:], "{")
	from, depth := t.at, 0
	for t.at < len(t.text) {
		switch b := t.text[t.at]; {
		case b == '"' || b == '\'':
			if !t.anyQuoted(b) {
				return false
			}
			continue
		case b == '[' || b == '{':
			depth++
		case b == ']' || b == '}':
			if depth--; depth < 0 {
				return false
			}
		case b == '#' || b == '\n':
			if depth == 0 {
				return t.at > from
			}
			if b == '#' {
				t.comment()
				continue
			}
		}
		t.at++
	}
	return depth == 0 && t.at > from
}

func (t *tomlText) comment() {
	for t.at < len(t.text) && t.text[t.at] != '\n' {
		t.at++
	}
}

func (t *tomlText) anyQuoted(quote byte) bool {
	if three := strings.Repeat(string(quote), 3); strings.HasPrefix(t.text[t.at:], three) {
		return t.quoted(three)
	}
	return t.quoted(string(quote))
}

// quoted reads a string from its opening quote to behind its closing one. One
// line's strings end in it. Up to two more quotes may stand before three.
func (t *tomlText) quoted(quote string) bool {
	t.at += len(quote)
	for t.at < len(t.text) {
		switch rest := t.text[t.at:]; {
		case strings.HasPrefix(rest, quote):
			t.at += len(quote)
			for more := 0; len(quote) == 3 && more < 2 && strings.HasPrefix(t.text[t.at:], quote[:1]); more++ {
				t.at++
			}
			return true
		case rest[0] == '\n' && len(quote) == 1:
			return false
		case rest[0] == '\\' && quote[0] == '"':
			t.at++
		}
		t.at++
	}
	return false
}
