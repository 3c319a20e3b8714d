package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hasWord reports whether text has the word with no letter, digit or _ beside it.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !inWord(before) && !inWord(after) {
			return true
		}
		at = end
	}
}

func inWord(r rune) bool {
	return r == '_' || (r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)))
}

// isName reports whether text may name a variable.
func isName(text string) bool { return text != "" && nameSize(text) == len(text) }

// nameSize is the length of the name that text begins with.
func nameSize(text string) int {
	for i := range len(text) {
		c := text[i]
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || '9' < c) {
			return i
		}
	}
	return len(text)
}
