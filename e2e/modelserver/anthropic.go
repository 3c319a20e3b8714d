package modelserver

// anthropic is the Messages format.
type anthropic struct{}

func (anthropic) read(_ string, body object) ask {
	a := ask{tools: has(body["tools"])}
	a.model, _ = body["model"].(string)
	a.stream, _ = body["stream"].(bool)
	a.schema, _ = dig(body, "output_config", "format", "schema").(object)
	a.said = said(body["messages"], func(m object) bool { return m["role"] == "user" })
	return a
}

func (anthropic) answer(t Turn, model string, id func(string) string) object {
	stop := "end_turn"
	if len(t.Tools) > 0 {
		stop = "tool_use"
	}
	return object{
		"id": id("msg_"), "type": "message", "role": "assistant", "model": model,
		"content": anthropicContent(t, id), "stop_reason": stop, "stop_sequence": nil,
		"usage": anthropicUsage(t.Usage),
	}
}

// anthropicContent never returns an empty list: the CLI takes one for a fault.
func anthropicContent(t Turn, id func(string) string) []object {
	var blocks []object
	if t.Thinking != "" {
		blocks = append(blocks, object{"type": "thinking", "thinking": t.Thinking, "signature": "c2lnbmVk"})
	}
	if t.Text != "" || len(t.Tools) == 0 {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	for _, call := range t.Tools {
		blocks = append(blocks, object{"type": "tool_use", "id": id("toolu_"), "name": call.Name, "input": call.input()})
	}
	return blocks
}

func anthropicUsage(u Usage) object {
	return object{
		"input_tokens":                u.Input,
		"cache_creation_input_tokens": u.CacheWrite5m + u.CacheWrite1h,
		"cache_read_input_tokens":     u.CacheRead,
		"cache_creation":              object{"ephemeral_5m_input_tokens": u.CacheWrite5m, "ephemeral_1h_input_tokens": u.CacheWrite1h},
		"output_tokens":               u.Output,
		"service_tier":                "standard",
	}
}

func (anthropic) events(answer object) []event {
	full := answer["usage"].(object)
	// The real server opens a stream with a first, tiny output count.
	opening := with(answer, "content", []object{}, "stop_reason", nil, "usage", with(full, "output_tokens", 1))
	all := []event{
		{"message_start", object{"type": "message_start", "message": opening}},
		{"ping", object{"type": "ping"}},
	}
	for i, block := range answer["content"].([]object) {
		all = append(all, anthropicBlock(i, block)...)
	}
	delta := object{"stop_reason": answer["stop_reason"], "stop_sequence": nil}
	return append(
		all,
		event{"message_delta", object{"type": "message_delta", "delta": delta, "usage": full}},
		event{"message_stop", object{"type": "message_stop"}},
	)
}

func anthropicBlock(i int, block object) []event {
	empty, deltas := anthropicDeltas(block)
	all := []event{{"content_block_start", object{"type": "content_block_start", "index": i, "content_block": empty}}}
	for _, d := range deltas {
		all = append(all, event{"content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d}})
	}
	return append(all, event{"content_block_stop", object{"type": "content_block_stop", "index": i}})
}

// anthropicDeltas splits a block into its empty start and the deltas that fill it.
func anthropicDeltas(block object) (empty object, deltas []object) {
	split := func(kind, key, text string) {
		for _, p := range pieces(text) {
			deltas = append(deltas, object{"type": kind, key: p})
		}
	}
	switch block["type"] {
	case "text":
		split("text_delta", "text", block["text"].(string))
		return with(block, "text", ""), deltas
	case "thinking":
		split("thinking_delta", "thinking", block["thinking"].(string))
		deltas = append(deltas, object{"type": "signature_delta", "signature": block["signature"]})
		return with(block, "thinking", "", "signature", ""), deltas
	}
	split("input_json_delta", "partial_json", arguments(block["input"]))
	return with(block, "input", object{}), deltas
}

func (anthropic) fail(status int, message string) object {
	kind := "api_error"
	switch status {
	case 400:
		kind = "invalid_request_error"
	case 401:
		kind = "authentication_error"
	case 429:
		kind = "rate_limit_error"
	case 529:
		kind = "overloaded_error"
	}
	return object{"type": "error", "error": object{"type": kind, "message": message}}
}
