package redact

import (
	"unicode"
	"unicode/utf8"
)

// class tells which bytes belong to a run. All classes are ASCII: an accented
// letter ends a run and is no part of a word, so a key right after it is found.
type class func(byte) bool

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isUpper(b byte) bool  { return 'A' <= b && b <= 'Z' }
func isLetter(b byte) bool { return isUpper(b) || 'a' <= b && b <= 'z' }

func isAlnum(b byte) bool      { return isLetter(b) || isDigit(b) }
func isUpperAlnum(b byte) bool { return isUpper(b) || isDigit(b) }
func isAlnumDash(b byte) bool  { return isAlnum(b) || b == '-' }
func isWord(b byte) bool       { return isAlnum(b) || b == '_' }
func isWordDash(b byte) bool   { return isWord(b) || b == '-' }

// wordBefore tells whether the byte before i is part of a word.
func wordBefore(s string, i int) bool { return i > 0 && isWord(s[i-1]) }

// wordAt tells whether the byte at i is part of a word.
func wordAt(s string, i int) bool { return i < len(s) && isWord(s[i]) }

// isSpace is unicode.IsSpace and the four information separators (0x1C to 0x1F),
// which a terminal shows as blanks and other languages split words at.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F
}

// spaceAt is the width of the white space character at i, or 0.
func spaceAt(s string, i int) int {
	if i == len(s) {
		return 0
	}
	if r, width := utf8.DecodeRuneInString(s[i:]); isSpace(r) {
		return width
	}
	return 0
}

// spaceBefore is the width of the white space character that ends at i, or 0.
func spaceBefore(s string, i int) int {
	if r, width := utf8.DecodeLastRuneInString(s[:i]); width > 0 && isSpace(r) {
		return width
	}
	return 0
}

// The rules that ignore case compare folded letters: ASCII capitals, and the two
// letters beyond ASCII that are an i in another case and that NFKC leaves alone,
// capital İ (U+0130) and small ı (U+0131). Turkish capitals of "private" hold one.
const (
	foldLead   = 0xC4 // first byte of both in UTF-8
	foldDotted = 0xB0 // second byte of İ
	foldNoDot  = 0xB1 // second byte of ı
)

// foldAt is the folded character at i, which must be in s, and its width in
// bytes. Any other byte beyond ASCII stands for itself and is in no class.
func foldAt(s string, i int) (byte, int) {
	if s[i] == foldLead && i+1 < len(s) && (s[i+1] == foldDotted || s[i+1] == foldNoDot) {
		return 'i', 2
	}
	return lower(s[i]), 1
}

// foldBefore is the folded character that ends at i and its width, 0 at the start.
func foldBefore(s string, i int) (byte, int) {
	if i == 0 {
		return 0, 0
	}
	if i >= 2 && s[i-2] == foldLead {
		return foldAt(s, i-2)
	}
	return lower(s[i-1]), 1
}

func lower(b byte) byte {
	if isUpper(b) {
		return b + 'a' - 'A'
	}
	return b
}

// wordFoldBefore and wordFoldAt tell whether a word reaches over the edge at i.
func wordFoldBefore(s string, i int) bool {
	b, _ := foldBefore(s, i)
	return isWord(b)
}

func wordFoldAt(s string, i int) bool {
	if i == len(s) {
		return false
	}
	b, _ := foldAt(s, i)
	return isWord(b)
}

// matchFold is the end of literal (lower case) at i whatever its case, or -1.
func matchFold(s string, i int, literal string) int {
	for k := 0; k < len(literal); k++ {
		if i >= len(s) {
			return -1
		}
		b, width := foldAt(s, i)
		if b != literal[k] {
			return -1
		}
		i += width
	}
	return i
}
