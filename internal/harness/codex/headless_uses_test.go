package codex_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/harness/codex"
)

func usesIn(text []byte) (out []harness.ToolUse) {
	for line := range bytes.Lines(text) {
		out = append(out, codex.Headless().Uses(line)...)
	}
	return out
}

func TestUses(t *testing.T) {
	text, err := os.ReadFile("testdata/headless/full.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := usesIn(text)
	if len(got) < 10 || got[0].Command != "/bin/bash -lc 'echo hi'" {
		t.Errorf("%d uses: %+v", len(got), got)
	}
	last := got[len(got)-1]
	if last.Tool != "file_change" || len(last.Paths) != 1 {
		t.Errorf("the last is %+v", last)
	}
}

// Written by hand after Codex's source: the recordings use no such tools.
func TestUsesOfOtherTools(t *testing.T) {
	text := `{"type":"item.completed","item":{"type":"web_search","query":"the fix"}}
{"type":"item.completed","item":{"type":"mcp_tool_call","server":"s","tool":"read","arguments":{"path":"/a"}}}
{"type":"item.completed","item":{"type":"agent_message","text":"command_execution"}}
{"type":"item.completed","item":7}
`
	want := []harness.ToolUse{{Tool: "web_search", Web: true, Asked: "the fix"}, {Tool: "read", Paths: []string{"/a"}}}
	if diff := cmp.Diff(want, usesIn([]byte(text))); diff != "" {
		t.Error(diff)
	}
}
