//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// TestCodexTerminalShowsTheWarning: under exec Codex drops what a hook says to
// the user, in its terminal interface it shows it.
func TestCodexTerminalShowsTheWarning(t *testing.T) {
	t.Parallel()
	c := codexCodeMode()
	h := c.ready(t, modelserver.One(tiny,
		c.step(mark("a")), c.costing(0.85, c.step(mark("b"))), c.step(mark("c")), finished), "--cap", "1")
	h.configureCodex(c.model, fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", h.project))
	screen := h.terminal("SCRIPTED_KEY=dummy", "codex", bypass, "--no-alt-screen", "Do the scripted task")
	screen.wait("Finished.")
	if text := screen.text(); !strings.Contains(text, "checkrein") || !strings.Contains(text, "$1.00") {
		t.Errorf("the warning is not on the screen:\n%s", text)
	}
	if got := strings.Join(h.ran(), " "); got != "a b c" {
		t.Errorf("what ran: %s", got)
	}
}
