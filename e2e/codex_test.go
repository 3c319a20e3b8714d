//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"

	"checkrein/e2e/modelserver"
)

// bypass lets Codex run hooks that nobody has trusted yet.
const bypass = "--dangerously-bypass-hook-trust"

// execCommand is one shell call as Codex's model makes it.
func execCommand(command string) modelserver.Tool {
	return modelserver.Tool{Name: "exec_command", Input: map[string]any{"cmd": command}}
}

// configureCodex writes a config.toml that knows the model server; more is
// appended to it.
func (h *home) configureCodex(model, more string) {
	h.t.Helper()
	h.write(".codex/config.toml", fmt.Sprintf(`model = %q
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false
%s`, model, h.model.URL, more))
}

// codexEvent is one line of --json, all types in one.
type codexEvent struct {
	Type     string `json:"type"`
	ThreadID string `json:"thread_id"`
	Item     struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Message string `json:"message"`
		Command string `json:"command"`
	} `json:"item"`
}

// codexRun is what one `codex exec` did.
type codexRun struct {
	output
	session string
	ended   bool     // a turn.completed came
	said    []string // messages of the agent
	shown   []string // messages to the user: items of type error, but for notes on the bypass flag
	denied  []string // stderr's lines on blocked calls, the only place that shows them
}

// codex runs `codex exec` with the flags and the prompt in args.
func (h *home) codex(args ...string) codexRun {
	h.t.Helper()
	argv := append([]string{"codex", "exec", "--json", "--sandbox", "workspace-write"}, args...)
	r := codexRun{output: h.run([]string{"SCRIPTED_KEY=dummy"}, argv...)}
	for _, line := range strings.Split(strings.TrimSpace(r.stdout), "\n") {
		var e codexEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.fatal("reading %q: %v", line, err)
		}
		r.take(e)
	}
	r.shown = withoutNotes(r.shown)
	for _, line := range strings.Split(r.stderr, "\n") {
		if strings.Contains(line, "blocked by PreToolUse hook") {
			r.denied = append(r.denied, line)
		}
	}
	return r
}

func (r *codexRun) take(e codexEvent) {
	switch {
	case e.Type == "thread.started":
		r.session = e.ThreadID
	case e.Type == "turn.completed":
		r.ended = true
	case e.Type == "item.completed" && e.Item.Type == "agent_message":
		r.said = append(r.said, e.Item.Text)
	case e.Type == "item.completed" && e.Item.Type == "error":
		r.shown = append(r.shown, e.Item.Message)
	}
}
