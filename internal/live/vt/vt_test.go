package vt

import (
	"testing"
	"unicode/utf8"
)

func TestPlay(t *testing.T) {
	for written, want := range map[string]string{
		"":                            "",
		"a\nb\n":                      "a\nb",
		"abcdefg":                     "abcde\nfg",
		"ab\rc":                       "cb",
		"a\nb\n\x1b[A\x1b[A\r\x1b[Jc": "c",
		"a\nb\n\x1b[A\x1b[Jc":         "a\nc",
		"1\n2\n3\n4\n\x1b[A\x1b[A\x1b[A\x1b[A\x1b[J": "1\n2", // what has scrolled off can't be reached
		"\x1b[32mgood\x1b[0m":                        "good",
	} {
		if got := Play(written, 5, 3, utf8.RuneCountInString).String(); got != want {
			t.Errorf("%q shows %q, want %q", written, got, want)
		}
	}
	s := Play("\x1b[?25l\x1b[3Ax", 5, 3, utf8.RuneCountInString)
	if !s.Hidden || len(s.Unknown) != 1 {
		t.Errorf("got %+v", s)
	}
}
