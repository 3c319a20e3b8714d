package codex

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// uses reads the tool calls in one event of codex exec --json. An item is told
// when it starts and when it ends; one that is refused only ends.
func uses(line []byte) []harness.ToolUse {
	if !bytes.Contains(line, []byte(`"item.`)) {
		return nil
	}
	var e struct {
		Item struct {
			Type    string `json:"type"`
			Command string `json:"command"`
			Query   string `json:"query"`
			Tool    string `json:"tool"`
			Changes []struct {
				Path string `json:"path"`
			} `json:"changes"`
			Arguments map[string]any `json:"arguments"`
		} `json:"item"`
	}
	if json.Unmarshal(line, &e) != nil {
		return nil
	}
	switch item := e.Item; item.Type {
	case "command_execution":
		return []harness.ToolUse{{Tool: item.Type, Command: item.Command}}
	case "web_search":
		return []harness.ToolUse{{Tool: item.Type, Web: true, Asked: item.Query}}
	case "mcp_tool_call":
		return []harness.ToolUse{harness.Used(item.Tool, false, item.Arguments)}
	case "file_change":
		u := harness.ToolUse{Tool: item.Type}
		for _, c := range item.Changes {
			u.Paths = append(u.Paths, c.Path)
		}
		return []harness.ToolUse{u}
	}
	return nil
}
