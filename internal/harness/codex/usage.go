package codex

import (
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
)

// counts are tokens in OpenAI's meanings: input holds the cached ones and the
// cache writes, output the reasoning.
type counts struct{ input, cached, written, output, reasoning int64 }

func (c *counts) member(r *transcript.Record, name []byte) {
	switch string(name) {
	case "input_tokens":
		c.input = r.Count()
	case "cached_input_tokens":
		c.cached = r.Count()
	case "cache_write_input_tokens":
		c.written = r.Count()
	case "output_tokens":
		c.output = r.Count()
	case "reasoning_output_tokens":
		c.reasoning = r.Count()
	}
}

func (c *counts) usage() harness.Usage {
	return harness.Usage{
		Input: max(0, c.input-c.cached-c.written), CacheRead: c.cached, CacheWrite: c.written,
		Output: c.output, Reasoning: c.reasoning,
	}
}

// tokens reads the next value as counts; false when it is none.
func tokens(r *transcript.Record) (u harness.Usage, ok bool) {
	var c counts
	ok = r.Object(func(name []byte) { c.member(r, name) })
	return c.usage(), ok
}

// told is what PostModelRequest tells of a response, compactions included.
// The rollout tells the same, under the same id, but often only after the hook
// of the call that the response makes.
func told(in harness.Input) *harness.Event {
	if in.Event != PostModelRequest || in.ResponseID == "" {
		return nil
	}
	var (
		r transcript.Record
		c counts
	)
	if !r.Read(in.TokenUsage, func(name []byte) { c.member(&r, name) }) {
		return nil
	}
	return &harness.Event{Kind: harness.Response, ID: in.ResponseID, Model: in.Model, Usage: c.usage()}
}
