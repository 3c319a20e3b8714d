package grade_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"checkrein/internal/grade"
)

// FuzzParse: whatever a report holds, it is read without a panic, its names are
// short text, and it has no more tests than bytes.
func FuzzParse(f *testing.F) {
	formats := []grade.Format{
		grade.Auto, grade.JUnit, grade.Go, grade.TAP, grade.Jest, grade.Mocha, grade.RSpec, grade.Unittest, grade.Libtest, grade.TRX,
		grade.GoText, grade.Minitest, grade.ExUnit, grade.CTest, grade.Automake, grade.Play, grade.Bazel,
	}
	for _, path := range reports(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for i := range formats {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		hold(t, text, formats[int(which)%len(formats)])
	})
}

// hold is what is true of every report: few, short names, and the same each time.
func hold(t *testing.T, text []byte, format grade.Format) {
	t.Helper()
	r := grade.Parse(format, bytes.NewReader(text), "/copy")
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
	if again := grade.Parse(format, bytes.NewReader(text), "/copy"); show(again) != show(r) {
		t.Fatalf("read once more it is another:\n%s\n%s", show(r), show(again))
	}
}

// TestTruncated: a report that ends early has fewer tests, or says that it was
// cut. It has no pass that the whole one does not have.
func TestTruncated(t *testing.T) {
	for _, path := range reports(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			format := formatOf(t, path)
			whole := grade.Parse(format, bytes.NewReader(text), "/copy")
			for end := 0; end < len(text); end += 1 + len(text)/400 {
				part := grade.Parse(format, bytes.NewReader(text[:end]), "/copy")
				for _, name := range part.Names(grade.Passed) {
					switch all, there := whole.Tests[name]; {
					case !there:
						t.Fatalf("%q passes in the first %d bytes; the whole does not have it", name, end)
					case all.Status != grade.Passed && !part.Cut:
						t.Fatalf("%q passes in the first %d bytes, and is %s in the whole", name, end, all.Status)
					}
				}
			}
		})
	}
}

// formatOf is what a file in testdata is read as.
func formatOf(t *testing.T, path string) grade.Format {
	t.Helper()
	name := filepath.Base(path)
	for _, f := range []struct {
		prefix string
		format grade.Format
	}{
		{"gotest-verbose", grade.GoText},
		{"gotest", grade.Go},
		{"unittest", grade.Unittest},
		{"django", grade.Unittest},
		{"cargo", grade.Libtest},
		{"minitest.txt", grade.Minitest},
		{"rake", grade.Minitest},
		{"exunit", grade.ExUnit},
		{"ctest.txt", grade.CTest},
		{"automake", grade.Automake},
		{"bazel-events", grade.Bazel},
		{"playwright", grade.Play},
		{"rspec", grade.RSpec},
		{"mocha.json", grade.Mocha},
		{"jest.json", grade.Jest},
		{"vitest", grade.Jest},
		{"nextest", grade.Nextest},
	} {
		if strings.HasPrefix(name, f.prefix) && filepath.Ext(name) != ".xml" {
			return f.format
		}
	}
	switch filepath.Ext(name) {
	case ".xml":
		return grade.JUnit
	case ".trx":
		return grade.TRX
	case ".tap":
		return grade.TAP
	}
	t.Fatalf("what format is %s?", name)
	return ""
}
