package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlockKeepsLinesAndNothingElse(t *testing.T) {
	text := "+\tif x {\r\n\x1b[31mred\x1b]0;title\x07 `a` | b\u202e\n\ntoken ghp_0123456789abcdefghijABCDEFGHIJ012345\n" + "123456789012345678901234567890"
	want := []string{"+    if x {", " [31mred ]0;title  `a...", "", "token [REDACTED]", "123456789012345678901..."}
	got := Block(text, 24)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
