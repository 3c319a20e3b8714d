package modelserver

import "slices"

// responses is OpenAI's Responses format.
type responses struct{}

func (responses) read(_ string, body object) ask {
	a := ask{tools: has(body["tools"]) || hasItem(body["input"], "additional_tools")}
	a.model, _ = body["model"].(string)
	a.stream, _ = body["stream"].(bool)
	a.schema, _ = dig(body, "text", "format", "schema").(object)
	if text, ok := body["input"].(string); ok {
		a.said = text
		return a
	}
	// A subagent gets its task as an agent_message, without a role.
	a.said = said(body["input"], func(m object) bool { return m["role"] == "user" || m["type"] == "agent_message" })
	return a
}

// hasItem tells whether an item of that type is in the input. For newer models
// Codex sends its tools there, under a type of their own.
func hasItem(input any, kind string) bool {
	items, _ := input.([]any)
	return slices.ContainsFunc(items, func(i any) bool { return dig(i, "type") == kind })
}

func (responses) answer(t Turn, model string, id func(string) string) object {
	u := t.Usage
	return object{
		"id": id("resp_"), "object": "response", "created_at": 1, "status": "completed", "model": model,
		"output": responsesOutput(t, id), "error": nil, "incomplete_details": nil,
		"usage": object{
			"input_tokens": u.Prompt(),
			"input_tokens_details": object{
				"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite5m + u.CacheWrite1h,
			},
			"output_tokens":         u.Output,
			"output_tokens_details": object{"reasoning_tokens": u.Reasoning},
			"total_tokens":          u.Prompt() + u.Output,
		},
	}
}

func responsesOutput(t Turn, id func(string) string) []object {
	var items []object
	if t.Thinking != "" {
		summary := []object{{"type": "summary_text", "text": t.Thinking}}
		items = append(items, object{"type": "reasoning", "id": id("rs_"), "encrypted_content": nil, "summary": summary})
	}
	if t.Text != "" || len(t.Tools) == 0 {
		part := object{"type": "output_text", "text": t.Text, "annotations": []object{}}
		items = append(items, object{
			"type": "message", "id": id("msg_"), "role": "assistant", "status": "completed",
			"content": []object{part},
		})
	}
	for _, call := range t.Tools {
		items = append(items, responsesCall(call, id))
	}
	return items
}

func responsesCall(call Tool, id func(string) string) object {
	item := object{"id": id("fc_"), "call_id": id("call_"), "name": call.Name, "status": "completed"}
	if call.Namespace != "" {
		item["namespace"] = call.Namespace
	}
	if call.Patch != "" {
		return with(item, "type", "custom_tool_call", "input", call.Patch)
	}
	return with(item, "type", "function_call", "arguments", arguments(call.input()))
}

func (responses) events(answer object) []event {
	opening := with(answer, "status", "in_progress", "output", []object{}, "usage", nil)
	all := []event{{"response.created", object{"response": opening}}}
	for i, item := range answer["output"].([]object) {
		all = append(all, responsesItem(i, item)...)
	}
	all = append(all, event{"response.completed", object{"response": answer}})
	for n, e := range all {
		e.data["type"], e.data["sequence_number"] = e.name, n
	}
	return all
}

func responsesItem(i int, item object) []event {
	at := func(name string, pairs ...any) event {
		return event{name, with(object{"output_index": i}, pairs...)}
	}
	start := with(item, "status", "in_progress")
	var middle []event
	switch item["type"] {
	case "message":
		start["content"] = []object{}
		text := item["content"].([]object)[0]["text"].(string)
		for _, p := range pieces(text) {
			middle = append(middle, at("response.output_text.delta", "item_id", item["id"], "content_index", 0, "delta", p))
		}
		middle = append(middle, at("response.output_text.done", "item_id", item["id"], "content_index", 0, "text", text))
	case "function_call":
		done := at("response.function_call_arguments.done", "item_id", item["id"], "arguments", item["arguments"])
		middle = append(middle, done)
	}
	all := append([]event{at("response.output_item.added", "item", start)}, middle...)
	return append(all, at("response.output_item.done", "item", item))
}

func (responses) fail(status int, message string) object {
	code := any(nil)
	if status == 401 {
		code = "invalid_api_key"
	}
	return object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": code}}
}
