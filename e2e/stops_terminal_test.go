//go:build e2e

package e2e

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"checkrein/e2e/modelserver"
)

// squeezed is a text without white space: terminals move the cursor in its place.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// sees waits for a text among what was written after a point.
func (s *screen) sees(from int, text string) {
	s.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(squeezed(s.text()[from:]), squeezed(text)); {
		if time.Now().After(end) {
			s.t.Fatalf("%q never came on the screen:\n%s", text, s.text()[from:])
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// types enters a line once the program shows that it has it, and tells where the
// screen was.
func (s *screen) types(line string) (from int) {
	s.t.Helper()
	from = len(s.text())
	_, _ = io.WriteString(s.file, line)
	s.sees(from, line)
	_, _ = io.WriteString(s.file, "\r")
	return from
}

// welcomeClaude answers what Claude Code asks at its first start.
func (h *home) welcomeClaude() {
	h.t.Helper()
	text, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark",
		"customApiKeyResponses": map[string]any{"approved": []string{"dummy"}},
		"projects":              map[string]any{h.project: map[string]any{"hasTrustDialogAccepted": true}},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.write(".claude.json", string(text))
}

// TestClaudeTerminalOverTheCap: the stop and the refused prompt show why, the typed
// words lift it, and all that was sent are the requests before the cap and after.
func TestClaudeTerminalOverTheCap(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	h := c.ready(t, modelserver.One(tiny, append([]modelserver.Turn{c.dear("first"), c.dear("second")}, c.afterwards()...)...), "--cap", "1")
	h.welcomeClaude()
	h.env = append(h.env, claudeEnviron(h)...)
	screen := h.terminal("DISABLE_TELEMETRY=1", "claude", "--model", claudeModel, "--permission-mode", "acceptEdits",
		"--allowedTools", "Bash", "--", "Do the scripted task")
	screen.sees(0, "this session reached its spend cap")
	if n := h.paid(); n != 2 {
		t.Errorf("%d requests until the stop, want 2", n)
	}
	from := screen.types("Go on please")
	screen.sees(from, "guard allow --session")
	from = screen.types("checkrein guard allow")
	screen.sees(from, "The session may use $2.2")
	if n := h.paid(); n != 2 {
		t.Errorf("%d requests after two refused prompts, want 2", n)
	}
	h.model.Play(modelserver.One(tiny, c.step(mark("resumed")), finished))
	from = screen.types("Now go on")
	screen.sees(from, "Finished.")
	if got := h.ran(); got[len(got)-1] != "resumed" || h.paid() != 4 {
		t.Errorf("%d requests, what ran: %q", h.paid(), got)
	}
}
