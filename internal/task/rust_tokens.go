package task

import (
	"strings"
	"unicode/utf8"
)

// token is a word, a number, a literal, a documentation comment, or one byte.
type token struct {
	from, to int
	doc      bool
}

// rustTokens cuts a file into tokens; comments are none. It knows what can hide a
// bracket: strings, raw strings, characters beside lifetimes, nested comments.
func rustTokens(src string) []token {
	var out []token
	for at := 0; at < len(src); {
		rest := src[at:]
		n, doc, comment := rustComment(rest)
		switch {
		case comment:
		case strings.IndexByte(" \t\r\n\f", src[at]) >= 0:
			at++
			continue
		default:
			n = rustToken(rest)
		}
		if !comment || doc {
			out = append(out, token{at, at + n, doc})
		}
		at += n
	}
	return out
}

// rustComment measures a comment. Those with three slashes or stars document the
// item that follows.
func rustComment(s string) (n int, doc, ok bool) {
	switch {
	case strings.HasPrefix(s, "//"):
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		return n, strings.HasPrefix(s, "///") && !strings.HasPrefix(s, "////"), true
	case strings.HasPrefix(s, "/*"):
		depth := 0
		for n < len(s) {
			switch {
			case strings.HasPrefix(s[n:], "/*"):
				depth, n = depth+1, n+2
			case strings.HasPrefix(s[n:], "*/"):
				depth, n = depth-1, n+2
			default:
				n++
			}
			if depth == 0 {
				break
			}
		}
		return n, strings.HasPrefix(s, "/**") && !strings.HasPrefix(s, "/***") && !strings.HasPrefix(s, "/**/"), true
	}
	return 0, false, false
}

// rustToken measures the token at the start of s.
func rustToken(s string) int {
	switch c := s[0]; {
	case c == '"':
		return quoted(s, 1, '"')
	case c == '\'':
		return quote(s)
	case wordByte(c):
		n := 1
		for n < len(s) && wordByte(s[n]) {
			n++
		}
		return prefixed(s, n)
	}
	return 1
}

// prefixed is a word, or the literal or raw name that it starts.
func prefixed(s string, n int) int {
	if n == len(s) {
		return n
	}
	switch word, next := s[:n], s[n]; {
	case next == '"' && (word == "b" || word == "c"):
		return quoted(s, n+1, '"')
	case next == '\'' && word == "b":
		return quoted(s, n+1, '\'')
	case (next == '"' || next == '#') && (word == "r" || word == "br" || word == "cr"):
		hashes := len(s[n:]) - len(strings.TrimLeft(s[n:], "#"))
		if n+hashes < len(s) && s[n+hashes] == '"' {
			end := `"` + strings.Repeat("#", hashes)
			if at := strings.Index(s[n+hashes+1:], end); at >= 0 {
				return n + hashes + 1 + at + len(end)
			}
			return len(s)
		}
		if hashes == 1 && word == "r" && n+1 < len(s) && wordByte(s[n+1]) { // r#type
			return n + 1 + rustToken(s[n+1:])
		}
	}
	return n
}

// quoted measures a literal up to its closing mark.
func quoted(s string, from int, mark byte) int {
	for n := from; n < len(s); n++ {
		switch s[n] {
		case '\\':
			n++
		case mark:
			return n + 1
		}
	}
	return len(s)
}

// quote tells a character from a lifetime: 'a' and '\n' are closed, 'a is not.
func quote(s string) int {
	if strings.HasPrefix(s, `'\`) {
		return quoted(s, 1, '\'')
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	if 1+size < len(s) && s[1+size] == '\'' && s[1] != '\'' {
		return size + 2
	}
	return 1 // the name of the lifetime is the next token
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
