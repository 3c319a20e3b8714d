package claudecode

import (
	"testing"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// TestBatch: the texts are those that 2.1.332 sent.
func TestBatch(t *testing.T) {
	in, ok := harness.ParseInput([]byte(`{"hook_event_name":"PostToolBatch","session_id":"s","tool_calls":[
		{"tool_name":"Bash","tool_input":{"command":"x"},"tool_use_id":"t1","tool_response":{"stdout":"No such tool available: X"}},
		{"tool_name":"NoSuchTool","tool_input":{"x":1},"tool_use_id":"t2","tool_response":"<tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>"},
		{"tool_name":"Bash","tool_input":{},"tool_use_id":"t3","tool_response":"<tool_use_error>InputValidationError: Bash failed due to the following issues:\nThe required parameter ` + "`command`" + ` is missing</tool_use_error>"},
		{"tool_name":"Bash","tool_input":{"command":"y"},"tool_use_id":"t4","tool_response":"PreToolUse:Bash hook error: checkrein blocked this call"}
		]}`))
	if !ok {
		t.Fatal("not read")
	}
	want := []string{`- call "t2" NoSuchTool failed invalid held`, `- call "t3" Bash failed invalid held`}
	call := NewCall(in)
	if diff := cmp.Diff(want, lines(call.Batch)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if call.BatchEnd != "t4" || call.BatchSize != 4 {
		t.Errorf("it ends with %q, after %d", call.BatchEnd, call.BatchSize)
	}
	for _, odd := range []string{`null`, `{}`, `"x"`, `[[]]`, `[{"tool_use_id":[],"tool_response":3}]`} {
		if got, last, _ := batch([]byte(odd)); len(got) != 0 || last != "" {
			t.Errorf("%s: %v, %q", odd, got, last)
		}
	}
}
