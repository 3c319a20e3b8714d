package claudecode_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever an agent prints, reading it ends, and never yields a cost by which a
// cap would grow.
func FuzzHeadless(f *testing.F) {
	recordings, _ := filepath.Glob("testdata/headless/*.jsonl")
	for _, path := range recordings {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"type":"assistant","message":{"id":"a","model":"claude-opus-5-5","usage":{"output_tokens":-5}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o := read(t, text)
		if o.Cost != nil && o.Source == "partial" && *o.Cost < 0 {
			t.Errorf("responses that cost %v", *o.Cost)
		}
		if (o.Cost == nil) != (o.Source == "") {
			t.Errorf("cost %v from %q", o.Cost, o.Source)
		}
	})
}
