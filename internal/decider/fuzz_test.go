package decider

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzUndo holds, for every format: what is put back says what it said before,
// every part that does not decide is there byte for byte and in its order, and
// doing it twice is doing it once.
func FuzzUndo(f *testing.F) {
	files := []string{"package.json", "pyproject.toml", "Cargo.toml", "setup.cfg", "go.mod", "go.sum", "Makefile", "pom.xml"}
	for i, pair := range [][2]string{
		{`{"scripts":{"a":1},"b":2,"dependencies":{"c":"1"}}`, `{"b":3,"scripts":{},"jest":{} , "devDependencies":{ "c":"file:x","d":""}}`},
		{"[tool.pytest]\na=1\n", "[tool]\npytest.b='''\n'''\n[x]\n\"y\" = [1, # ]\n2]\n"},
		{"[[test]]\nname='a'\n[lib]\n", "[lib]\ntest=false\n[[bin]]\ntest=false\n[[bin]]\nx={}"},
		{"[tool:pytest]\na=1\n", "[metadata]\nx=1\n ; y\n[tool:pytest]\n\n[aliases]\n b=1"},
		{"module a\nreplace b => c", "module a\n\nreplace (\n b => d\n)\nrequire e v1\n"},
		{"a v1 h1:x\n", "b v1 h1:y\na v1 h1:z"},
		{"X=1\ntest: a\n\t$(X)\n", "X=2\ntest:\n\ttrue\nb:\n\tc \\\nd\n"},
		{"<a/>\n", "<skip/>\n"},
	} {
		f.Add(i, []byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, kind int, before, after []byte) {
		file := files[uint(kind)%uint(len(files))]
		v := Versions{Before: before, After: after, TestCmd: "make test"}
		text, sections, whole := Undo(file, v)
		if whole {
			if !bytes.Equal(text, before) {
				t.Fatalf("whole, but %q", text)
			}
			return
		}
		v.After = text
		if again, more, _ := Undo(file, v); !bytes.Equal(again, text) || len(more) > 0 {
			t.Fatalf("once more: %q, then %q (%q)", text, again, more)
		}
		if len(sections) == 0 && !bytes.Equal(text, after) {
			t.Fatalf("nothing was put back, but %q became %q", after, text)
		}
		if format, ok := formatOf(file); ok && format.split != nil && format.decides != nil {
			if was, is := others(format, after), others(format, text); was != is {
				t.Fatalf("%q became %q", was, is)
			}
		}
	})
}

// others are the bytes of the parts that don't decide, in their order, but for
// newlines: a file's last line may get one.
func others(f format, text []byte) string {
	parts, _ := f.split(text)
	var out strings.Builder
	for _, p := range parts {
		if !f.decides(p.name) && !strings.HasPrefix(p.name, dependency) {
			out.Write(p.text)
		}
	}
	return strings.NewReplacer("\n", "", "\r", "").Replace(out.String())
}
