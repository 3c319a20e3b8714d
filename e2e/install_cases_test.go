//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

// TestUninstallLeavesSettingsAsTheyWere, with a hook of the user's own beside
// the guard's, which runs all the while.
func TestUninstallLeavesSettingsAsTheyWere(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := newHome(t, modelserver.One(tiny, c.step(mark("one")), finished))
		c.setUp(h)
		before := "{ \"hooks\": {\n\t\"PreToolUse\": [ {\"hooks\":[{\"command\":\"echo x >> " + h.dir +
			"/own.txt\",  \"type\":\"command\"}]}  ]\n\n } }\n\n"
		h.write(c.settings, before)
		h.guard("install", "--harness", c.harness, "--write")
		if h.read(c.settings) == before {
			t.Fatal("install changed nothing")
		}
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "one")
		r.same("the user's own hook", strings.Fields(h.read("own.txt")), "x")
		sameMoney(t, "the total", h.status().Total, h.spent())
		h.guard("uninstall", "--harness", c.harness, "--write")
		if diff := cmp.Diff(before, h.read(c.settings)); diff != "" {
			t.Errorf("after uninstall: %s", diff)
		}
	})
}

// TestDeletedBinaryBlocksNothing: the hook's entry stays when the program goes.
func TestDeletedBinaryBlocksNothing(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := newHome(t, modelserver.One(tiny, c.step(mark("a")), c.step(mark("a")), c.step(mark("a")), finished))
		c.setUp(h)
		doomed := copyBinary(t)
		h.run(nil, doomed, "guard", "install", "--harness", c.harness, "--write").ok()
		if !strings.Contains(h.read(c.settings), doomed) {
			t.Fatalf("the entry is for another program: %s", h.read(c.settings))
		}
		if err := os.Remove(doomed); err != nil {
			t.Fatal(err)
		}
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "a", "a", "a")
		r.same("messages", r.shown)
		r.same("blocked", r.blocked)
	})
}

// copyBinary copies the program out of the temporary folder's reach, since the
// guard installs nothing from there.
func copyBinary(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(kit.work, "doomed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "checkrein")
	// Not written here: a process that another test starts meanwhile would have the
	// file open for writing, and then it can't be run ("text file busy").
	if out, err := exec.Command("cp", kit.checkrein, path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// TestWithoutATranscriptLoopsStillStop: the CLI keeps none, so that nothing can
// be counted.
func TestWithoutATranscriptLoopsStillStop(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.One(tiny,
			c.step(mark("a")), c.step(mark("a")), c.step(mark("a")), c.step(mark("b")), finished))
		r := c.play(h, "Do the scripted task", c.forgetful)
		r.ok()
		r.same("what ran", h.ran(), "a", "a", "b")
		r.same("trips", tripped(h.status()), "loop")
	})
}

// TestOffSwitch: one variable and there is no guard.
func TestOffSwitch(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.One(tiny, c.step(mark("a")), c.step(mark("a")), c.step(mark("a")), finished))
		h.env = append(h.env, "RUNAWAY_GUARD_OFF=1")
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "a", "a", "a")
	})
}

// hookFile is the part of a settings file that registers hooks.
type hookFile struct {
	Hooks map[string][]struct {
		Hooks []struct {
			Type    string `json:"type"`
			Command string `json:"command"`
			Timeout int    `json:"timeout"`
		} `json:"hooks"`
	} `json:"hooks"`
}

func (h *home) hooks(name string) hookFile {
	h.t.Helper()
	var f hookFile
	if err := json.Unmarshal([]byte(h.read(name)), &f); err != nil {
		h.t.Fatal(err)
	}
	return f
}
