//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"

	"checkrein/e2e/modelserver"
)

// claudeModel is asked for by name, so that the default of another release
// changes no price here.
const claudeModel = "claude-opus-5-5"

// bash is one shell call as Claude Code's model makes it.
func bash(command string) modelserver.Tool {
	return modelserver.Tool{Name: "Bash", Input: map[string]any{"command": command, "description": "Step"}}
}

// claudeRecord is one line of stream-json, all types in one.
type claudeRecord struct {
	Type           string  `json:"type"`
	Subtype        string  `json:"subtype"`
	SessionID      string  `json:"session_id"`
	Content        string  `json:"content"`
	Result         string  `json:"result"`
	TerminalReason string  `json:"terminal_reason"`
	TotalCost      float64 `json:"total_cost_usd"`
	Denials        []any   `json:"permission_denials"`
	Message        struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// claudeRun is what one `claude -p` did.
type claudeRun struct {
	output
	session string
	shown   []string     // messages to the user
	errors  []string     // tool results that are errors, which the model reads
	last    claudeRecord // the last result line
}

// claudeEnviron makes Claude Code use the model server and nothing else.
func claudeEnviron(h *home) []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + h.model.URL, "ANTHROPIC_API_KEY=dummy", "CLAUDE_CODE_MAX_RETRIES=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"DISABLE_ERROR_REPORTING=1",
	}
}

// claude runs one prompt; more adds flags, such as --resume ID.
func (h *home) claude(prompt string, more ...string) claudeRun {
	h.t.Helper()
	argv := []string{
		"claude", "-p", prompt, "--output-format", "stream-json", "--verbose", "--model", claudeModel,
		"--permission-mode", "acceptEdits", "--allowedTools", "Bash",
	}
	r := claudeRun{output: h.run(claudeEnviron(h), append(argv, more...)...)}
	for _, line := range strings.Split(strings.TrimSpace(r.stdout), "\n") {
		var rec claudeRecord
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			// Fields that other record types use for other things.
			continue
		}
		r.take(rec)
	}
	if r.last.Type == "" {
		r.fatal("there is no result line")
	}
	return r
}

func (r *claudeRun) take(rec claudeRecord) {
	switch {
	case rec.Type == "result":
		r.last, r.session = rec, rec.SessionID
	case rec.Type == "system" && rec.Subtype == "informational":
		r.shown = append(r.shown, rec.Content)
	case rec.Type == "user":
		r.errors = append(r.errors, toolErrors(rec.Message.Content)...)
	}
}

// toolErrors lists the failed results of one user message.
func toolErrors(content json.RawMessage) []string {
	var parts []struct {
		Content any  `json:"content"`
		IsError bool `json:"is_error"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return nil
	}
	var all []string
	for _, p := range parts {
		if text, ok := p.Content.(string); ok && p.IsError {
			all = append(all, text)
		}
	}
	return all
}
