package live

import (
	"unicode"

	"golang.org/x/text/width"
)

// columns is how many columns of a terminal a rune takes: none for what joins
// the letter before it, two for the wide letters of East Asia and for emoji.
func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Columns is how many columns a text takes.
func Columns(text string) (n int) {
	for _, r := range text {
		n += columns(r)
	}
	return n
}

// cut shortens a line to so many columns, the "..." of a cut included.
func (l Line) cut(limit int) Line {
	if Columns(l.String()) <= limit {
		return l
	}
	dots := "..."[:max(min(limit, 3), 0)]
	room := limit - len(dots)
	out := Line{Passing: l.Passing}
	for _, p := range l.Parts {
		text, whole := upTo(p.Text, room)
		room -= Columns(text)
		if out.Parts = append(out.Parts, Part{text, p.Tone}); !whole {
			break
		}
	}
	return out.and(Plain, "%s", dots)
}

// upTo is what of a text fits into so many columns.
func upTo(text string, room int) (start string, whole bool) {
	for i, r := range text {
		if room -= columns(r); room < 0 {
			return text[:i], false
		}
	}
	return text, true
}
