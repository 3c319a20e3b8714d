package geminicli

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// uses reads the tool call in one line of stream-json. The one object of
// --output-format json tells of none.
func uses(line []byte) []harness.ToolUse {
	if !bytes.Contains(line, []byte(`"tool_use"`)) {
		return nil
	}
	var e struct {
		Type  string         `json:"type"`
		Tool  string         `json:"tool_name"`
		Input map[string]any `json:"parameters"`
	}
	if json.Unmarshal(line, &e) != nil || e.Type != "tool_use" {
		return nil
	}
	return []harness.ToolUse{harness.Used(e.Tool, e.Tool == "google_web_search" || e.Tool == "web_fetch", e.Input)}
}
