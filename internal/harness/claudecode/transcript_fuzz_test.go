package claudecode

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// recorded adds whole recordings and their lines to a fuzz target's corpus.
func recorded(f *testing.F, pattern string, add func(data []byte)) {
	files, _ := filepath.Glob(pattern)
	if len(files) == 0 {
		f.Fatal("no recordings")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		add(data)
		for line := range bytes.Lines(data) {
			add(line)
		}
	}
}

// FuzzReader: no bytes make the reader panic, forget where it is, or count
// what cannot be.
func FuzzReader(f *testing.F) {
	recorded(f, "testdata/transcripts/*/*.jsonl", func(data []byte) { f.Add(data) })
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := int64(bytes.LastIndexByte(data, '\n') + 1)
		for _, e := range detailed(data) {
			if d := e.Detail; d != nil && (d.Start < 0 || d.Start > int64(len(data)) || len(d.Text) > shown) {
				t.Fatalf("%v: %+v", e, d)
			}
		}
		for _, final := range []bool{false, true} {
			events, next := readAll(data, 0, final)
			if next > whole || final && next != whole {
				t.Fatalf("next read at %d of %d", next, whole)
			}
			for _, e := range events {
				if u := e.Usage; min(u.Input, u.CacheRead, u.CacheWrite, u.CacheWrite1h, u.Output, u.Reasoning) < 0 || u.CacheWrite1h > u.CacheWrite {
					t.Fatalf("usage %+v", u)
				}
			}
		}
	})
}

// sessionOf makes a transcript as Claude Code writes it: the records of one
// response follow each other, with growing usage; results, prompts and noise
// stand between. Each byte of script is one step.
func sessionOf(script []byte) []byte {
	var b bytes.Buffer
	msg, out := 0, 0
	for i, op := range script {
		switch op % 8 {
		case 0, 1: // a response starts
			msg++
			out = int(op)
			fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"m%d","model":"x","usage":{"output_tokens":%d},"content":[{"type":"text","text":"é"}]}}`, msg, out)
		case 2, 3: // its next block
			out += int(op)
			fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"m%d","model":"x","usage":{"output_tokens":%d},"content":[{"type":"tool_use","id":"t%d","name":"Bash"}]}}`, msg, out, i)
		case 4:
			fmt.Fprintf(&b, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v}]}}`, i-1, op > 99)
		case 5:
			b.WriteString(`{"type":"user","message":{"content":"go on"}}`)
		case 6: // a message that the harness made
			fmt.Fprintf(&b, `{"type":"assistant","message":{"id":"s%d","model":"<synthetic>","usage":{"output_tokens":9}}}`, i)
		case 7: // noise, now and then a response without any id
			if op > 128 {
				fmt.Fprintf(&b, `{"type":"assistant","uuid":"u%d","message":{"model":"x","usage":{"output_tokens":%d}}}`, i, op)
				msg++
			} else {
				b.WriteString(`{"type":"assistant","message":{`)
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// counted is what a guard counts of responses: each id once.
func counted(into map[string]harness.Usage, events []harness.Event) {
	for _, e := range events {
		if _, again := into[e.ID]; e.Kind == harness.Response && !again {
			into[e.ID] = e.Usage
		}
	}
}

// FuzzCuts: a transcript that is read while it grows, cut anywhere, gives the
// same responses with the same usage as one read of the whole.
func FuzzCuts(f *testing.F) {
	f.Add([]byte{0, 2, 3, 4, 5, 1, 2, 4, 6, 7, 255, 0, 2}, []byte{1, 60, 200})
	f.Add([]byte{2, 2, 0, 0, 0, 5}, []byte{0})
	f.Fuzz(func(t *testing.T, script, cuts []byte) {
		data := sessionOf(script[:min(len(script), 200)])
		want, got := map[string]harness.Usage{}, map[string]harness.Usage{}
		events, _ := readAll(data, 0, true)
		counted(want, events)

		offset, size := int64(0), 0
		for i := 0; size < len(data); i++ {
			step := 1 + len(data)/20 // at most 20 reads
			if len(cuts) > 0 {
				step += int(cuts[i%len(cuts)])
			}
			size = min(len(data), size+step)
			events, next := readAll(data[:size], offset, false)
			if next < offset {
				t.Fatalf("read on from %d to %d", offset, next)
			}
			counted(got, events)
			offset = next
		}
		events, _ = readAll(data, offset, true)
		counted(got, events)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("one read -, many reads +\n%s", diff)
		}
	})
}
