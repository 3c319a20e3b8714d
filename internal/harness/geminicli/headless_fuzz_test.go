package geminicli_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever an agent prints, reading it ends.
func FuzzHeadless(f *testing.F) {
	recordings, _ := filepath.Glob("testdata/headless/*.json*")
	for _, path := range recordings {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if o := read(text); o.Usage != nil && o.Usage.Tokens() < 0 {
			t.Errorf("a run of %d tokens", o.Usage.Tokens())
		}
	})
}
