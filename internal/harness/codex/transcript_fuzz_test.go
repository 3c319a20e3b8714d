package codex

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// FuzzReader: no bytes make the reader panic, forget where it is, or count
// what cannot be.
func FuzzReader(f *testing.F) {
	files, _ := filepath.Glob("testdata/rollouts/*/*.jsonl")
	if len(files) == 0 {
		f.Fatal("no recordings")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := int64(bytes.LastIndexByte(data, '\n') + 1)
		for _, e := range detailed(data) {
			if d := e.Detail; d != nil && (d.Start < 0 || d.Start > int64(len(data)) || len(d.Text) > shown) {
				t.Fatalf("%v: %+v", e, d)
			}
		}
		for _, final := range []bool{false, true} {
			events, next, _ := readAll(data, 0, harness.Resume{Records: hasRecordMark(data)}, final)
			if next > whole || final && next != whole {
				t.Fatalf("next read at %d of %d", next, whole)
			}
			for _, e := range events {
				if u := e.Usage; min(u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning) < 0 {
					t.Fatalf("usage %+v", u)
				}
			}
		}
	})
}

// rolloutOf makes a rollout as Codex writes it; each byte of script is one
// step. With records each response ends in a token_usage_record and
// token_count events repeat it; without, they are all there is, some twice.
func rolloutOf(script []byte, records bool) []byte {
	var b bytes.Buffer
	add := func(kind, payload string) { fmt.Fprintf(&b, `{"type":"%s","payload":%s}`+"\n", kind, payload) }
	total := 0
	for i, op := range script {
		switch op % 9 {
		case 0, 1:
			add("response_item", `{"type":"reasoning"}`)
		case 2:
			add("response_item", `{"type":"message","role":"assistant","content":[]}`)
		case 3:
			add("response_item", fmt.Sprintf(`{"type":"custom_tool_call","name":"exec","call_id":"c%d"}`, i))
		case 4:
			add("response_item", fmt.Sprintf(`{"type":"custom_tool_call_output","call_id":"c%d","output":"x"}`, i-1))
		case 5, 6:
			if records {
				add("token_usage_record", fmt.Sprintf(`{"response_id":"r%d","usage":{"input_tokens":%d}}`, i, op))
			}
			if op%9 == 6 {
				total += 1 + int(op)
			}
			add("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d}}}`, total, op))
		case 7:
			if op > 128 {
				add("turn_context", fmt.Sprintf(`{"model":"m%d"}`, i))
			} else {
				add("event_msg", fmt.Sprintf(`{"type":"thread_settings_applied","thread_settings":{"model":"m%d"}}`, i))
			}
		case 8:
			b.WriteString(strings.Repeat("{", int(op)%3) + "\n")
		}
	}
	return b.Bytes()
}

// responses is what a guard counts: ids once, responses without one each time.
func responses(into []string, seen map[string]bool, events []harness.Event) []string {
	for _, e := range events {
		if e.Kind != harness.Response || e.ID != "" && seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		into = append(into, fmt.Sprint(e.ID, " ", e.Model, " ", e.Usage))
	}
	return into
}

// FuzzCuts: a rollout that is read while it grows, cut anywhere, gives the same
// responses, with the same model and usage, as one read of the whole.
func FuzzCuts(f *testing.F) {
	f.Add([]byte{7, 0, 2, 3, 5, 4, 6, 0, 255, 3, 6, 6, 8, 2, 14}, []byte{1, 60, 200}, true)
	f.Add([]byte{0, 6, 6, 0, 15, 5}, []byte{0}, false)
	f.Fuzz(func(t *testing.T, script, cuts []byte, records bool) {
		data := rolloutOf(script[:min(len(script), 200)], records)
		known := harness.Resume{Records: records}
		events, _, _ := readAll(data, 0, known, true)
		want := responses(nil, map[string]bool{}, events)

		var got []string
		seen := map[string]bool{}
		offset, size := int64(0), 0
		for i := 0; size < len(data); i++ {
			step := 1 + len(data)/20 // at most 20 reads
			if len(cuts) > 0 {
				step += int(cuts[i%len(cuts)])
			}
			size = min(len(data), size+step)
			var next int64
			events, next, known = readAll(data[:size], offset, known, false)
			if next < offset {
				t.Fatalf("read on from %d to %d", offset, next)
			}
			got = responses(got, seen, events)
			offset = next
		}
		events, _, _ = readAll(data, offset, known, true)
		got = responses(got, seen, events)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("one read -, many reads +\n%s", diff)
		}
	})
}
