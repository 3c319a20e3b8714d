package geminicli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// TestTokensAreWhatGeminiSaid holds what the reader counts in a chat against what
// the same run printed of each model at its end. The one difference is named: what
// Gemini CLI asks a smaller model, to choose one for a prompt, stands in no chat.
// Other harnesses have such tests in their folders; Qwen Code and Copilot CLI
// have no reader of ours, so nothing can be held against what they said.
func TestTokensAreWhatGeminiSaid(t *testing.T) {
	routing := printed{Prompt: 10200, Cached: 9000, Output: 80, Total: 10290}
	for name, inNoChat := range map[string]map[string]printed{
		"full.stream.jsonl":      {"gemini-3.5-flash-lite": routing},
		"hook-deny.stream.jsonl": {}, "hook-deny-and-stop.stream.jsonl": {}, "plain.json": {},
	} {
		chat, _, _ := strings.Cut(name, ".")
		files, _ := filepath.Glob("testdata/chats/" + chat + "/*.jsonl")
		if len(files) != 1 {
			t.Fatalf("%s: chats %v", name, files)
		}
		got := byModel(t, files[0])
		if len(got) != 1 {
			t.Errorf("%s: models %v", name, got)
		}
		for model, p := range inNoChat {
			got[model] = p
		}
		if diff := cmp.Diff(printedEnd(t, filepath.Join("testdata/headless", name)), got); diff != "" {
			t.Errorf("%s: -printed +counted\n%s", name, diff)
		}
	}
}

// printed are a model's tokens in the meanings of Gemini CLI's stream: the prompt
// holds the cached ones, and thoughts are in the total alone.
type printed struct {
	Prompt int64 `json:"input_tokens"`
	Cached int64 `json:"cached"`
	Output int64 `json:"output_tokens"`
	Total  int64 `json:"total_tokens"`
}

func byModel(t *testing.T, path string) map[string]printed {
	t.Helper()
	sums := map[string]printed{}
	r := NewReader(func(e harness.Event) {
		u, p := e.Usage, sums[e.Model]
		p.Prompt, p.Cached = p.Prompt+u.Input+u.CacheRead, p.Cached+u.CacheRead
		p.Output, p.Total = p.Output+u.Output-u.Reasoning, p.Total+u.Tokens()
		sums[e.Model] = p
	}, harness.Resume{})
	end, err := transcript.Tail(path, 0, r.Line)
	if err != nil {
		t.Fatal(err)
	}
	r.Close(end, true)
	return sums
}

// printedEnd reads the last line of the stream, or the one object of the other
// output format, which has names of its own.
func printedEnd(t *testing.T, path string) map[string]printed {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".jsonl") {
		text = bytes.TrimSpace(text)
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	var end struct {
		Stats struct {
			Models map[string]struct {
				printed
				Tokens struct {
					Prompt     int64 `json:"prompt"`
					Cached     int64 `json:"cached"`
					Candidates int64 `json:"candidates"`
					Total      int64 `json:"total"`
				} `json:"tokens"`
			} `json:"models"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(text, &end); err != nil {
		t.Fatal(err)
	}
	sums := map[string]printed{}
	for name, m := range end.Stats.Models {
		sums[name] = m.printed
		if one := m.Tokens; one.Total > 0 {
			sums[name] = printed{one.Prompt, one.Cached, one.Candidates, one.Total}
		}
	}
	return sums
}
