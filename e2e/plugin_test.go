//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// repository is the top of this repository, which is the plugin's marketplace.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// claudePlugin runs `claude plugin …`, which must succeed.
func (h *home) claudePlugin(args ...string) output {
	h.t.Helper()
	env := []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1"}
	return h.run(env, append([]string{"claude", "plugin"}, args...)...).ok()
}

// withPlugin is a home where the plugin came from the marketplace.
func withPlugin(t *testing.T, s modelserver.Script) *home {
	t.Helper()
	h := newHome(t, s)
	h.claudePlugin("marketplace", "add", repository(t))
	h.claudePlugin("install", "checkrein@checkrein")
	return h
}

// skillsOf lists the skills that a session starts with.
func (r played) skillsOf() []string {
	r.t.Helper()
	for line := range strings.Lines(r.stdout) {
		var rec struct {
			Subtype string   `json:"subtype"`
			Skills  []string `json:"skills"`
		}
		if json.Unmarshal([]byte(line), &rec) == nil && rec.Subtype == "init" {
			return rec.Skills
		}
	}
	r.fatal("there is no init record")
	return nil
}

// loops is a script that makes one call three times and then another.
func loops() modelserver.Script {
	step := func(word string) modelserver.Turn { return claudeCode().step(mark(word)) }
	return modelserver.One(tiny, step("again"), step("again"), step("again"), step("else"), finished)
}

// TestPluginIsValid: Claude Code takes the marketplace, the plugin and the skills. Strict
// would want a version, which would have to be raised with every change, and reads no
// links.
func TestPluginIsValid(t *testing.T) {
	h := newHome(t, loops())
	h.claudePlugin("validate", repository(t))
	h.claudePlugin("validate", "--strict", filepath.Join(repository(t), "skills"))
	h.claudePlugin("validate", filepath.Join(repository(t), "plugins/checkrein"))
}

// TestPluginGuards: with the plugin and no settings entry the third identical call is
// blocked, and the session has both skills. From the marketplace the links to them are
// copied as files; from the folder they are followed.
func TestPluginGuards(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) (*home, []string){
		"from the marketplace": func(t *testing.T) (*home, []string) { return withPlugin(t, loops()), nil },
		"from its folder": func(t *testing.T) (*home, []string) {
			return newHome(t, loops()), []string{"--plugin-dir", filepath.Join(repository(t), "plugins/checkrein")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, more := start(t)
			r := claudeCode().play(h, "Do the scripted task", more...)
			r.ok()
			r.same("what ran", h.ran(), "again", "again", "else")
			r.same("trips", tripped(h.status()), "loop")
			sameMoney(t, "the total", h.status().Total, h.spent())
			for _, skill := range []string{"checkrein:runaway-guard", "checkrein:harness-test-drive"} {
				if !slices.Contains(r.skillsOf(), skill) {
					r.fatal("the skills are %q", r.skillsOf())
				}
			}
		})
	}
}

// TestPluginBesideAnEntry: with the plugin and an entry in the user's settings every
// call is judged twice and counts once: the second identical call runs, the third
// does not, and each response is paid for once.
func TestPluginBesideAnEntry(t *testing.T) {
	h := withPlugin(t, loops())
	h.guard("install", "--write")
	h.write("bin/checkrein", "#!/bin/sh\necho x >> ~/by-name\nexec "+kit.checkrein+" \"$@\"\n")
	if err := os.Chmod(filepath.Join(h.dir, "bin/checkrein"), 0o755); err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, pathOf(filepath.Join(h.dir, "bin"), kit.clis, kit.node, "/usr/bin", "/bin"))
	r := claudeCode().play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "again", "again", "else")
	s := h.status()
	r.same("trips", tripped(s), "loop")
	r.count("calls blocked", s.Trips["loop"], 1)
	sameMoney(t, "the total", s.Total, h.spent())
	if h.hooks(".claude/settings.json").Hooks["PreToolUse"] == nil || len(strings.Fields(h.read("by-name"))) < 4 {
		r.fatal("the plugin's hook or the entry did not run, calls by name: %q", h.read("by-name"))
	}
}

// pathOf is PATH in place of the usual one.
func pathOf(dirs ...string) string { return "PATH=" + strings.Join(dirs, ":") }

// TestPluginWithoutProgram: a plugin whose program is not there blocks nothing and says
// nothing.
func TestPluginWithoutProgram(t *testing.T) {
	h := withPlugin(t, loops())
	h.env = append(h.env, pathOf(kit.clis, kit.node, "/usr/bin", "/bin"))
	r := claudeCode().play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "again", "again", "again", "else")
	r.same("messages", r.shown)
	r.same("blocked", r.blocked)
}
