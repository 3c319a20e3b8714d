package grade_test

import (
	"bytes"
	"os"
	"testing"
	"unicode/utf8"

	"checkrein/internal/grade"
)

// FuzzParse: whatever a report holds, it is read without a panic, its names are
// short text, and it has no more tests than bytes.
func FuzzParse(f *testing.F) {
	formats := []grade.Format{
		grade.Auto, grade.JUnit, grade.Go, grade.TAP, grade.Jest, grade.Mocha, grade.RSpec, grade.Unittest, grade.Libtest, grade.TRX,
	}
	for _, path := range golden(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for i := range formats {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		r := grade.Parse(formats[int(which)%len(formats)], bytes.NewReader(text), "/copy")
		if len(r.Tests)+len(r.Broken) > len(text) {
			t.Fatalf("%d tests in %d bytes", len(r.Tests)+len(r.Broken), len(text))
		}
		for name, test := range r.Tests {
			if len(name) > 500 || !utf8.ValidString(name) {
				t.Fatalf("name %q", name)
			}
			switch test.Status {
			case grade.Passed, grade.Failed, grade.Skipped, grade.Errored:
			default:
				t.Fatalf("status %q", test.Status)
			}
		}
	})
}
