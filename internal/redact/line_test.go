package redact_test

import (
	"testing"

	"checkrein/internal/redact"
)

func TestLine(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		limit int
		want  string
	}{
		"empty":              {"", 10, ""},
		"fits":               {"go test", 7, "go test"},
		"cut":                {"go test ./...", 10, "go test..."},
		"cut in characters":  {"äöüäöüäöü", 6, "äöü..."},
		"fits in characters": {"äöüäöü", 6, "äöüäöü"},
		"no room":            {"go test", 2, "..."},
		"no room at all":     {"go test", 0, "..."},
		"controls":           {"a\x1b[31mb\x00\tc\r\n d\u2028e\u0085f", 80, "a [31mb c d e f"},
		"edges":              {"  a  ", 80, "a"},
		"only blanks":        {" \n\t\u3000\u200b", 80, ""},
		"table and code":     {"a | `b`", 80, "a / 'b'"},
		"private use":        {"a\ue000b", 80, "a b"},
		"direction marks":    {"a\u202eb", 80, "ab"},
		"secret, then cut":   {"token=abcdefghijkl and more", 22, "token=[REDACTED] an..."},
		"secret over lines":  {"-----BEGIN PRIVATE KEY-----\nx\n", 80, "[REDACTED]"},
		"no UTF-8":           {"a\xffb", 80, "a\uFFFDb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redact.Line(tt.text, tt.limit); got != tt.want {
				t.Errorf("Line(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "`(empty)`",
		"\n\u200b":         "`(empty)`",
		"a `b` | <i>":      "`a 'b' / <i>`",
		"pwd=x\nand so on": "`pwd=[REDACTED] and ...`",
	} {
		if got := redact.Code(text, 22); got != want {
			t.Errorf("Code(%q, 22) = %q, want %q", text, got, want)
		}
	}
}
