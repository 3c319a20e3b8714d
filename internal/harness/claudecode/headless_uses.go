package claudecode

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// uses reads the tool calls in one line of stream-json.
func uses(line []byte) []harness.ToolUse {
	if !bytes.Contains(line, []byte(`"tool_use"`)) {
		return nil
	}
	var r struct {
		Type    string `json:"type"`
		Message struct {
			Content []struct {
				Type  string         `json:"type"`
				Name  string         `json:"name"`
				Input map[string]any `json:"input"`
			} `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &r) != nil || r.Type != "assistant" {
		return nil
	}
	var out []harness.ToolUse
	for _, c := range r.Message.Content {
		if c.Type == "tool_use" {
			out = append(out, harness.Used(c.Name, c.Name == "WebFetch" || c.Name == "WebSearch", c.Input))
		}
	}
	return out
}
