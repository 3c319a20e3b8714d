package claudecode_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
)

func usesIn(text []byte) (out []harness.ToolUse) {
	for line := range bytes.Lines(text) {
		out = append(out, claudecode.Headless().Uses(line)...)
	}
	return out
}

func TestUses(t *testing.T) {
	text, err := os.ReadFile("testdata/headless/full.stream.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := usesIn(text)
	if len(got) < 8 || got[0].Tool != "Bash" || got[0].Command != "echo hi" {
		t.Errorf("%d uses: %+v", len(got), got)
	}
}

// Written by hand after the recordings, which use no such tools.
func TestUsesOfOtherTools(t *testing.T) {
	line := `{"type":"assistant","message":{"content":[{"type":"text","text":"\"tool_use\""},` +
		`{"type":"tool_use","name":"WebFetch","input":{"url":"https://example.test/x","prompt":"fix"}},` +
		`{"type":"tool_use","name":"WebSearch","input":{"query":"the fix"}},` +
		`{"type":"tool_use","name":"Read","input":{"file_path":"/a/b"}},{"type":"tool_use","name":"Grep","input":{"path":7,"pattern":"x"}}]}}`
	want := []harness.ToolUse{
		{Tool: "WebFetch", Web: true, Asked: "https://example.test/x"},
		{Tool: "WebSearch", Web: true, Asked: "the fix"},
		{Tool: "Read", Paths: []string{"/a/b"}},
		{Tool: "Grep", Paths: []string{"x"}},
	}
	if diff := cmp.Diff(want, usesIn([]byte(line))); diff != "" {
		t.Error(diff)
	}
	for _, none := range []string{"", "{", `{"type":"user","message":{"content":[{"type":"tool_use","name":"Bash"}]}}`, `{"type":"assistant","message":{"content":"tool_use"}}`} {
		if got := usesIn([]byte(none)); got != nil {
			t.Errorf("%s: %+v", none, got)
		}
	}
}
