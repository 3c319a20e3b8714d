package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// turnLines is what one response with a command writes, with texts of the
// length and the escapes that real sessions have.
func turnLines(n int) string {
	text := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"reading %s: %w\", path, err)\n\t}\n`, 30)
	var b strings.Builder
	add := func(kind, payload string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-11-30T10:19:03.026Z","ordinal":%d,"type":"%s","payload":%s}`+"\n", n, kind, payload)
	}
	add("response_item", `{"type":"reasoning","summary":[],"encrypted_content":"`+strings.Repeat("QUJD", 600)+`"}`)
	add("event_msg", `{"type":"agent_message","message":"`+text+`"}`)
	add("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+text+`"}]}`)
	add("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","call_id":"c%d","arguments":"%s"}`, n, text))
	add("token_usage_record", fmt.Sprintf(`{"response_id":"r%d","usage":{"input_tokens":10200,"cached_input_tokens":9000,"output_tokens":101}}`, n))
	add("event_msg", fmt.Sprintf(`{"type":"item_completed","item":{"type":"CommandExecution","id":"c%d","status":"completed","aggregated_output":"%s","exit_code":0}}`, n, text))
	add("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"Process exited with code 0\n%s"}`, n, text))
	return b.String()
}

func BenchmarkRead50MB(b *testing.B) {
	const size = 50 << 20
	path := filepath.Join(b.TempDir(), "rollout-x.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	for n, written := 0, 0; written < size; n++ {
		w, err := f.WriteString(turnLines(n))
		if err != nil {
			b.Fatal(err)
		}
		written += w
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		remembered, err := Prepare(path, 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		events := 0
		r := NewReader(func(harness.Event) { events++ }, remembered)
		end, err := transcript.Tail(path, 0, r.Line)
		if err != nil {
			b.Fatal(err)
		}
		if r.Close(end, true); events == 0 {
			b.Fatal("no events")
		}
	}
}
