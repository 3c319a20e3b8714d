//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

// geminiModel is asked for by name: without one a routing call to a second
// model comes first.
const geminiModel = "gemini-3.1-pro-preview"

// geminiEnd is the last line of stream-json.
type geminiEnd struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Stats  struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Cached int64 `json:"cached"`
		Calls  int   `json:"tool_calls"`
	} `json:"stats"`
}

// shellCommand is one shell call as Gemini CLI's model makes it.
func shellCommand(command string) modelserver.Tool {
	return modelserver.Tool{Name: "run_shell_command", Input: map[string]any{"command": command, "description": "Step"}}
}

// configureGemini chooses the way to sign in, which the CLI asks for otherwise.
func (h *home) configureGemini() {
	h.t.Helper()
	h.write(".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}`)
}

// gemini runs one prompt and returns the last line's numbers.
func (h *home) gemini(prompt string) (output, geminiEnd) {
	h.t.Helper()
	h.configureGemini()
	env := []string{"GOOGLE_GEMINI_BASE_URL=" + h.model.URL, "GEMINI_API_KEY=dummy"}
	o := h.run(env, "gemini", "--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust",
		"-m", geminiModel, "-p", prompt).ok()
	lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
	var end geminiEnd
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || end.Type != "result" {
		o.fatal("there is no result line: %v", err)
	}
	return o, end
}

// TestGeminiPlaysTheScript: the CLI that the test drive runs beside the other
// two understands the model server, tokens included.
func TestGeminiPlaysTheScript(t *testing.T) {
	t.Parallel()
	h := newHome(t, modelserver.One(tiny,
		modelserver.Turn{Text: "First.", Tools: []modelserver.Tool{shellCommand(mark("one"))}},
		modelserver.Turn{Text: "Then.", Tools: []modelserver.Tool{shellCommand(mark("two"))}},
		finished))
	o, end := h.gemini("Do the scripted task")
	if diff := cmp.Diff([]string{"one", "two"}, h.ran()); diff != "" {
		o.fatal("what ran: %s", diff)
	}
	var want geminiEnd
	want.Type, want.Status = "result", "success"
	want.Stats.Input, want.Stats.Cached = 3*tiny.Prompt(), 3*tiny.CacheRead
	want.Stats.Output, want.Stats.Calls = 3*tiny.Output, 2
	if diff := cmp.Diff(want, end); diff != "" {
		o.fatal("the numbers: %s", diff)
	}
}
