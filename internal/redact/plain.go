package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain is text in NFKC form (fullwidth and other compatibility letters become
// plain ones) without the characters that draw nothing. ASCII text, the common
// case, comes back as it is. Bytes that are no UTF-8 become U+FFFD: they would
// reach a terminal raw otherwise.
func plain(text string) string {
	if isASCII(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.Map(visible, norm.NFKC.String(text))
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// visible is r, or -1 (what strings.Map drops) for a character that draws
// nothing: inside a key it hides the key from the scanners while a reader still
// sees the key.
func visible(r rune) rune {
	if r >= utf8.RuneSelf && (unicode.Is(unicode.Cf, r) || drawsNothing(r)) {
		return -1
	}
	return r
}

// drawsNothing knows the blank characters outside the format category (Cf).
func drawsNothing(r rune) bool {
	switch {
	case r == 0x034F, // combining grapheme joiner
		r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, // Hangul fillers
		r == 0x17B4, r == 0x17B5, // Khmer inherent vowels
		r >= 0x180B && r <= 0x180F,   // Mongolian variation selectors
		r >= 0xFE00 && r <= 0xFE0F,   // variation selectors
		r >= 0xE0000 && r <= 0xE0FFF: // tags and more variation selectors
		return true
	}
	return false
}
