package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// turn is the records of one response with a tool call, with texts of the
// length and the escapes that real sessions have.
func turn(n int) string {
	text := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"reading %s: %w\", path, err)\n\t}\n`, 30)
	const tail = `"isSidechain":false,"userType":"external","cwd":"/home/dev/project","sessionId":"23dbff23-0698-4ed8-b10b-da140d276d39","version":"2.1.332","gitBranch":"main"}`
	usage := fmt.Sprintf(`"usage":{"input_tokens":12,"cache_creation_input_tokens":300,"cache_read_input_tokens":9000,"output_tokens":%d,"cache_creation":{"ephemeral_1h_input_tokens":100,"ephemeral_5m_input_tokens":200}}`, n%1000)
	msg := fmt.Sprintf(`"id":"msg_%08d","type":"message","role":"assistant","model":"claude-opus-5-5"`, n)
	var b strings.Builder
	fmt.Fprintf(&b, `{"parentUuid":"u%d","message":{%s,"content":[{"type":"text","text":"%s"}],%s},"type":"assistant","uuid":"a%d","timestamp":"2026-11-30T10:16:19.706Z",%s`+"\n", n, msg, text, usage, n, tail)
	fmt.Fprintf(&b, `{"parentUuid":"a%d","message":{%s,"content":[{"type":"tool_use","id":"toolu_%08d","name":"Edit","input":{"file_path":"a.go","new_string":"%s"}}],%s},"type":"assistant","uuid":"b%d","timestamp":"2026-11-30T10:16:19.706Z",%s`+"\n", n, msg, n, text, usage, n, tail)
	fmt.Fprintf(&b, `{"parentUuid":"b%d","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%08d","type":"tool_result","content":"%s"}]},"uuid":"c%d","timestamp":"2026-11-30T10:16:19.706Z","toolUseResult":{"newString":"%s","interrupted":false},%s`+"\n", n, n, text, n, text, tail)
	fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":"m%d","snapshot":{"text":"%s"}}`+"\n", n, text)
	return b.String()
}

// session writes a transcript of about size bytes.
func session(b *testing.B, size int64) string {
	path := filepath.Join(b.TempDir(), "session.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var written int64
	for n := 0; written < size; n++ {
		w, err := f.WriteString(turn(n))
		if err != nil {
			b.Fatal(err)
		}
		written += int64(w)
	}
	return path
}

func benchmarkRead(b *testing.B, size int64) {
	path := session(b, size)
	runtime.GC()
	b.SetBytes(size)
	var peak uint64
	for b.Loop() {
		events := 0
		r := NewReader(func(harness.Event) { events++ }, harness.Resume{})
		lines := 0
		end, err := transcript.Tail(path, 0, func(start int64, line []byte) {
			r.Line(start, line)
			if lines++; lines%4096 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.Sys)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		if r.Close(end, true); events == 0 {
			b.Fatal("no events")
		}
	}
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
}

func BenchmarkRead50MB(b *testing.B) { benchmarkRead(b, 50<<20) }

func BenchmarkRead1GB(b *testing.B) {
	if testing.Short() {
		b.Skip("writes a file of 1 GB: run without -short")
	}
	benchmarkRead(b, 1<<30)
}
