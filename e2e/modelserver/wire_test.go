package modelserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var spent = Usage{Input: 10, CacheRead: 200, CacheWrite5m: 30, CacheWrite1h: 4, Output: 50, Reasoning: 6}

// busy says something long enough for several pieces and calls one tool.
func busy() Turn {
	return Turn{
		Thinking: "Let me see.", Text: strings.Repeat("räder ", 20), Usage: spent,
		Tools: []Tool{{Name: "Bash", Input: object{"command": "echo hi"}}, {Name: "Nothing"}},
	}
}

func TestUsageInEveryFormat(t *testing.T) {
	srv := start(t, Script{Threads: []Thread{{Name: Main, Turns: []Turn{busy()}, Repeat: true}}})
	_, text := post(t, srv, messages, `{"tools":[{}]}`)
	want := object{
		"input_tokens": 10.0, "cache_creation_input_tokens": 34.0, "cache_read_input_tokens": 200.0,
		"cache_creation": object{"ephemeral_5m_input_tokens": 30.0, "ephemeral_1h_input_tokens": 4.0},
		"output_tokens":  50.0, "service_tier": "standard",
	}
	if diff := cmp.Diff(want, decode(t, text)["usage"]); diff != "" {
		t.Errorf("anthropic: %s", diff)
	}
	_, text = post(t, srv, openai, `{"tools":[{}]}`)
	want = object{
		"input_tokens": 244.0, "input_tokens_details": object{"cached_tokens": 200.0, "cache_write_tokens": 34.0},
		"output_tokens": 50.0, "output_tokens_details": object{"reasoning_tokens": 6.0}, "total_tokens": 294.0,
	}
	if diff := cmp.Diff(want, decode(t, text)["usage"]); diff != "" {
		t.Errorf("openai: %s", diff)
	}
	_, text = post(t, srv, google, `{"tools":[{}]}`)
	want = object{
		"promptTokenCount": 244.0, "candidatesTokenCount": 50.0, "totalTokenCount": 300.0,
		"cachedContentTokenCount": 200.0, "thoughtsTokenCount": 6.0,
	}
	if diff := cmp.Diff(want, decode(t, text)["usageMetadata"]); diff != "" {
		t.Errorf("gemini: %s", diff)
	}
}

// TestAnthropicStreamAddsUp puts the deltas together again.
func TestAnthropicStreamAddsUp(t *testing.T) {
	srv := start(t, One(Usage{}, busy()))
	_, text := post(t, srv, messages, `{"stream":true,"model":"m","tools":[{}]}`)
	got := map[string]string{}
	var last object
	for _, e := range stream(t, text) {
		delta, _ := e["delta"].(object)
		for _, key := range []string{"text", "thinking", "partial_json"} {
			if part, ok := delta[key].(string); ok {
				got[key] += part
			}
		}
		if e["type"] == "message_delta" {
			last = e
		}
	}
	want := map[string]string{"text": busy().Text, "thinking": "Let me see.", "partial_json": `{"command":"echo hi"}{}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if dig(last, "delta", "stop_reason") != "tool_use" || dig(last, "usage", "output_tokens") != 50.0 {
		t.Errorf("message_delta: %v", last)
	}
}

func TestResponsesStreamAddsUp(t *testing.T) {
	turn := busy()
	turn.Tools = append(turn.Tools, Tool{Name: "apply_patch", Patch: "*** Begin", Namespace: "n"})
	srv := start(t, One(Usage{}, turn))
	_, text := post(t, srv, openai, `{"stream":true,"model":"m","tools":[{}]}`)
	var kinds []string
	said := ""
	events := stream(t, text)
	for i, e := range events {
		if e["sequence_number"] != float64(i) {
			t.Errorf("event %d has number %v", i, e["sequence_number"])
		}
		if part, ok := e["delta"].(string); ok {
			said += part
		}
		if e["type"] == "response.output_item.done" {
			kinds = append(kinds, dig(e, "item", "type").(string))
		}
	}
	if said != turn.Text {
		t.Errorf("said %q", said)
	}
	want := []string{"reasoning", "message", "function_call", "function_call", "custom_tool_call"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	last := events[len(events)-1]
	if last["type"] != "response.completed" || dig(last, "response", "usage", "total_tokens") != 294.0 {
		t.Errorf("last event: %v", last)
	}
}

func TestGeminiStreamSendsOnePartAChunk(t *testing.T) {
	srv := start(t, One(Usage{}, busy()))
	_, text := post(t, srv, "/v1beta/models/gemini-x:streamGenerateContent?alt=sse", `{"tools":[{}]}`)
	var ends []bool
	for _, e := range stream(t, text) {
		candidate := e["candidates"].([]any)[0].(object)
		if n := len(dig(candidate, "content", "parts").([]any)); n != 1 {
			t.Errorf("%d parts in one chunk", n)
		}
		ends = append(ends, candidate["finishReason"] == "STOP")
	}
	if diff := cmp.Diff([]bool{false, false, false, true}, ends); diff != "" {
		t.Error(diff)
	}
	if got := srv.Requests()[0].Asked; got != "gemini-x" {
		t.Errorf("model %q", got)
	}
}

func TestPiecesNeverSplitACharacter(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("ü", 100)} {
		got := pieces(text)
		if strings.Join(got, "") != text || len(got) == 0 {
			t.Errorf("%q became %q", text, got)
		}
		for _, p := range got {
			if strings.ContainsRune(p, '\uFFFD') {
				t.Errorf("%q is split inside a character", p)
			}
		}
	}
}
