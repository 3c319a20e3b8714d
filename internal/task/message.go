package task

import (
	"strings"
	"unicode"
)

// Text splits a commit message into its subject and a body without trailers: a
// last paragraph of nothing but "Word: text" lines, such as Co-Authored-By.
func Text(message string) (subject, body string) {
	message = strip(string([]rune(message))) // every broken byte becomes U+FFFD
	subject, body, _ = strings.Cut(message, "\n")
	var paragraphs []string
	for p := range strings.SplitSeq(strip(body), "\n\n") {
		if strip(p) != "" {
			paragraphs = append(paragraphs, p)
		}
	}
	if n := len(paragraphs); n > 0 && onlyTrailers(paragraphs[n-1]) {
		paragraphs = paragraphs[:n-1]
	}
	return strip(subject), strip(strings.Join(paragraphs, "\n\n"))
}

func onlyTrailers(paragraph string) bool {
	for line := range strings.FieldsFuncSeq(paragraph, lineBreak) {
		if strip(line) != "" && !trailer(line) {
			return false
		}
	}
	return true
}

// trailer is true for "Word: text": letters, digits and dashes that start with
// a letter, a colon, one space, and something after it.
func trailer(line string) bool {
	key, text, ok := strings.Cut(line, ": ")
	if !ok || key == "" || strings.TrimLeftFunc(text, space) != text || text == "" {
		return false
	}
	for i, c := range []byte(key) {
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

func strip(s string) string { return strings.TrimFunc(s, space) }

// space counts the four separator characters of ASCII as white space, too.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func lineBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}
