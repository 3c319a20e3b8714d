package modelserver

import "strings"

// gemini is the generateContent format. The model stands in the path.
type gemini struct{}

func (gemini) read(path string, body object) ask {
	a := ask{tools: has(body["tools"]), stream: strings.HasSuffix(path, ":streamGenerateContent")}
	a.model, _, _ = strings.Cut(path[strings.LastIndex(path, "/")+1:], ":")
	a.schema, _ = dig(body, "generationConfig", "responseJsonSchema").(object)
	if a.schema == nil {
		a.schema, _ = dig(body, "generationConfig", "responseSchema").(object)
	}
	a.said = said(body["contents"], func(m object) bool { return m["role"] == "user" })
	return a
}

func (gemini) answer(t Turn, model string, id func(string) string) object {
	var parts []object
	if t.Thinking != "" {
		parts = append(parts, object{"text": t.Thinking, "thought": true})
	}
	if t.Text != "" || len(t.Tools) == 0 {
		parts = append(parts, object{"text": t.Text})
	}
	for _, call := range t.Tools {
		parts = append(parts, object{"functionCall": object{"id": id("call_"), "name": call.Name, "args": call.input()}})
	}
	return object{
		"candidates":    []object{geminiCandidate(parts, true)},
		"usageMetadata": geminiUsage(t.Usage), "modelVersion": model, "responseId": id("resp_"),
	}
}

func geminiCandidate(parts []object, last bool) object {
	c := object{"content": object{"role": "model", "parts": parts}, "index": 0}
	if last {
		c["finishReason"] = "STOP"
	}
	return c
}

// geminiUsage leaves counts of zero out, as the real server does.
func geminiUsage(u Usage) object {
	usage := object{
		"promptTokenCount": u.Prompt(), "candidatesTokenCount": u.Output,
		"totalTokenCount": u.Prompt() + u.Output + u.Reasoning,
	}
	if u.CacheRead > 0 {
		usage["cachedContentTokenCount"] = u.CacheRead
	}
	if u.Reasoning > 0 {
		usage["thoughtsTokenCount"] = u.Reasoning
	}
	return usage
}

// events sends one part at a time; every chunk repeats the usage.
func (gemini) events(answer object) []event {
	full := answer["candidates"].([]object)[0]
	parts := full["content"].(object)["parts"].([]object)
	var all []event
	for i, part := range parts {
		one := geminiCandidate([]object{part}, i == len(parts)-1)
		all = append(all, event{"", with(answer, "candidates", []object{one})})
	}
	return all
}

func (gemini) fail(status int, message string) object {
	name := "INTERNAL"
	switch status {
	case 400:
		name = "INVALID_ARGUMENT"
	case 401:
		name = "UNAUTHENTICATED"
	case 429:
		name = "RESOURCE_EXHAUSTED"
	}
	return object{"error": object{"code": status, "message": message, "status": name}}
}
