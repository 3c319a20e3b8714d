//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// inTerminal is how many times dearer a response is there: unlike exec, Codex's
// terminal interface asks for service tier "priority" with its newest model (0.171.0).
const inTerminal = 2

// trustProject answers what Codex's terminal interface asks in a new project.
func (h *home) trustProject(model string) {
	h.configureCodex(model, fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", h.project))
}

// TestCodexTerminalOverTheCap: the refused prompt shows why, which codex exec does
// not, and the typed words lift the stop.
func TestCodexTerminalOverTheCap(t *testing.T) {
	t.Parallel()
	c := codexCodeMode()
	dear := func(word string) modelserver.Turn { return c.costing(0.6/inTerminal, c.step(mark(word))) }
	h := c.ready(t, modelserver.One(tiny, dear("first"), dear("second"), c.step(mark("over")), finished), "--cap", "1")
	h.trustProject(c.model)
	screen := h.terminal("SCRIPTED_KEY=dummy", "codex", bypass, "--no-alt-screen", "Do the scripted task")
	screen.sees(0, "Finished.")
	before := h.model.Served(modelserver.Main)
	from := screen.types("Go on please")
	screen.sees(from, "this session reached its spend cap")
	from = screen.types("checkrein guard allow")
	screen.sees(from, "The session may use $2.2")
	if n := h.model.Served(modelserver.Main); n != before {
		t.Errorf("%d requests of the refused prompts", n-before)
	}
	h.model.Play(modelserver.One(tiny, c.step(mark("resumed")), modelserver.Turn{Text: "All over."}))
	from = screen.types("Now go on")
	screen.sees(from, "All over.")
	if got := strings.Join(h.ran(), " "); got != "first resumed" && got != "first second resumed" {
		t.Errorf("what ran: %s", got)
	}
}

// TestCodexTerminalShowsTheWarning: under exec Codex drops what a hook says to
// the user, in its terminal interface it shows it.
func TestCodexTerminalShowsTheWarning(t *testing.T) {
	t.Parallel()
	c := codexCodeMode()
	h := c.ready(t, modelserver.One(tiny,
		c.step(mark("a")), c.costing(0.85/inTerminal, c.step(mark("b"))), c.step(mark("c")), finished), "--cap", "1")
	h.trustProject(c.model)
	screen := h.terminal("SCRIPTED_KEY=dummy", "codex", bypass, "--no-alt-screen", "Do the scripted task")
	screen.wait("Finished.")
	if text := screen.text(); !strings.Contains(text, "checkrein") || !strings.Contains(text, "$1.00") {
		t.Errorf("the warning is not on the screen:\n%s", text)
	}
	if got := strings.Join(h.ran(), " "); got != "a b c" {
		t.Errorf("what ran: %s", got)
	}
}
