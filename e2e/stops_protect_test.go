//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// loosening are commands by which an agent would get rid of the guard.
func (h *home) loosening() []string {
	return []string{
		"checkrein guard allow",
		"rm -rf " + filepath.Join(h.dir, "state/runaway-guard"),
		"RUNAWAY_GUARD_OFF=1 claude -p x",
		kit.checkrein + " guard uninstall --write",
	}
}

// TestAgentCannotLoosenTheGuard: the hook blocks what would. END_TURN is off, so that
// one session can try all of it.
func TestAgentCannotLoosenTheGuard(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.Script{}, "--cap", "1")
		h.env = append(h.env, "RUNAWAY_GUARD_END_TURN=0")
		settings, turns := h.read(c.settings), []modelserver.Turn{c.step(mark("before"))}
		for i, command := range h.loosening() {
			turns = append(turns, c.step(mark("loosening")+"; "+command), c.step(mark(strings.Repeat("x", i+1))))
		}
		h.model.Play(modelserver.One(tiny, append(turns, finished)...))
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "before", "x", "xx", "xxx", "xxxx")
		r.count("calls blocked", len(r.blocked), len(h.loosening()))
		r.says("what was blocked", r.blocked, "would loosen the guard", "only the user may")
		r.same("trips", tripped(h.status()), "protect")
		r.same("the settings", []string{h.read(c.settings)}, settings)
	})
}

// TestAllowRefusesInsideASession: where the hook lets the command through, or there
// is none, the command itself refuses, and says why.
func TestAllowRefusesInsideASession(t *testing.T) {
	// By its path: a login shell, which Codex starts, sets PATH as the system has it.
	command := kit.checkrein + " guard allow --usd 5 > said.txt 2>&1; echo exit $? >> said.txt"
	script := func(call func(string) modelserver.Tool) modelserver.Script {
		return modelserver.One(tiny, modelserver.Turn{Tools: []modelserver.Tool{call(command)}}, finished)
	}
	refused := func(t *testing.T, h *home) {
		t.Helper()
		said := h.read("project/said.txt")
		if !strings.Contains(said, "an agent") || !strings.Contains(said, "exit 1\n") && !strings.Contains(said, "exit 2\n") {
			t.Errorf("the command said %q", said)
		}
		t.Logf("it said %q", said)
		if outside := h.guard("allow", "--usd", "5"); !strings.Contains(outside.stdout, "may use") {
			outside.fatal("outside it does nothing, so the check proves nothing")
		}
	}
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, script(c.call))
		h.env = append(h.env, "RUNAWAY_GUARD_PROTECT=0")
		c.play(h, "Do the scripted task").ok()
		refused(t, h)
	})
	t.Run("gemini-cli", func(t *testing.T) {
		t.Parallel()
		c := claudeCode()
		h := c.ready(t, modelserver.One(tiny, c.step(mark("one")), finished))
		c.play(h, "Do the scripted task").ok() // so that there is a session to allow more
		h.model.Play(script(shellCommand))
		h.gemini("Do the scripted task")
		refused(t, h)
	})
}
