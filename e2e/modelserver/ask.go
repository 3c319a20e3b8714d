package modelserver

import (
	"encoding/json"
	"strings"
)

// object is one JSON object, built by hand: three wire formats share so little
// that types for them would say everything twice.
type object = map[string]any

// ask is what choosing a turn needs to know of a request.
type ask struct {
	model  string
	stream bool
	tools  bool   // it offers the model tools
	said   string // what users and other agents said in it, tool results left out
	schema object // the JSON schema that the answer must fit; nil for free text
}

// said joins the text that the messages in list hold, of those that keep says
// a person or another agent wrote.
func said(list any, keep func(object) bool) string {
	messages, _ := list.([]any)
	var all []string
	for _, m := range messages {
		if msg, _ := m.(object); msg != nil && keep(msg) {
			all = append(all, texts(msg)...)
		}
	}
	return strings.Join(all, "\n")
}

// texts lists the texts of one message or part, whichever key its format uses.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, part := range v {
			all = append(all, texts(part)...)
		}
		return all
	case object:
		return partTexts(v)
	}
	return nil
}

func partTexts(part object) []string {
	if part["type"] == "tool_result" {
		return nil
	}
	var all []string
	for _, key := range []string{"text", "encrypted_content", "content", "parts"} {
		all = append(all, texts(part[key])...)
	}
	return all
}

// dig follows keys through nested objects; nil when one is missing.
func dig(value any, keys ...string) any {
	for _, k := range keys {
		o, _ := value.(object)
		value = o[k]
	}
	return value
}

// sideText answers a request without tools: "ok", or the smallest value that
// fits the schema it asks for.
func sideText(schema object) string {
	if schema == nil {
		return "ok"
	}
	text, err := json.Marshal(smallest(schema))
	if err != nil {
		return "ok"
	}
	return string(text)
}

func smallest(schema object) any {
	if choices, _ := schema["enum"].([]any); len(choices) > 0 {
		return choices[0]
	}
	switch kind, _ := schema["type"].(string); strings.ToLower(kind) {
	case "string":
		return "ok"
	case "number", "integer":
		return 0
	case "boolean":
		return false
	case "array":
		return []any{}
	}
	return smallestObject(schema)
}

func smallestObject(schema object) object {
	made := object{}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		key, _ := name.(string)
		property, _ := dig(schema, "properties", key).(object)
		made[key] = smallest(property)
	}
	return made
}

// has tells whether value is a list with something in it.
func has(value any) bool {
	list, _ := value.([]any)
	return len(list) > 0
}
