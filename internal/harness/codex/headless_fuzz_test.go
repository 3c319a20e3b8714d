package codex_test

import (
	"os"
	"path/filepath"
	"testing"

	"checkrein/internal/harness/codex"
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
	f.Add([]byte(`{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":-5,"output_tokens":-5}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o := read(text, "go test")
		if o.Cost != nil && *o.Cost < 0 {
			t.Errorf("a run that cost %v", *o.Cost)
		}
		if *o.TestsBad > *o.TestRuns {
			t.Errorf("%d of %d test runs failed", *o.TestsBad, *o.TestRuns)
		}
	})
}

func FuzzReadConfig(f *testing.F) {
	f.Add("model = \"gpt-6-sol\"\n[model_providers.x]\nenv_key = 'K'\n")
	f.Add("a = \"\"\"\nmodel = \"no\"\n\"\"\"")
	f.Fuzz(func(t *testing.T, text string) { codex.ReadConfig(text) })
}
