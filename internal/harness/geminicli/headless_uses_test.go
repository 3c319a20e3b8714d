package geminicli_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/geminicli"
)

func usesIn(text []byte) (out []harness.ToolUse) {
	for line := range bytes.Lines(text) {
		out = append(out, geminicli.Headless().Uses(line)...)
	}
	return out
}

func TestUses(t *testing.T) {
	text, err := os.ReadFile("testdata/headless/full.stream.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := usesIn(text)
	if len(got) < 7 || got[0].Command != "echo hi" || !cmp.Equal(got[5], harness.ToolUse{Tool: "read_file", Paths: []string{"/home/dev/project/hello.txt"}}) {
		t.Errorf("%d uses: %+v", len(got), got)
	}
}

// Written by hand after Gemini CLI's tools: the recordings use none of the web's.
func TestUsesOfOtherTools(t *testing.T) {
	text := `{"type":"tool_use","tool_name":"google_web_search","parameters":{"query":"the fix"}}
{"type":"tool_use","tool_name":"web_fetch","parameters":{"prompt":"read https://example.test"}}
{"type":"message","role":"assistant","content":"\"tool_use\""}
{"type":"tool_use","tool_name":"x","parameters":[]}
`
	want := []harness.ToolUse{
		{Tool: "google_web_search", Web: true, Asked: "the fix"}, {Tool: "web_fetch", Web: true, Asked: "read https://example.test"},
	}
	if diff := cmp.Diff(want, usesIn([]byte(text))); diff != "" {
		t.Error(diff)
	}
}
