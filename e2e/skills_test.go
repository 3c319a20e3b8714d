//go:build e2e

package e2e

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// skills runs `checkrein skills …`, which must succeed.
func (h *home) skills(args ...string) output {
	h.t.Helper()
	return h.run(nil, append([]string{kit.checkrein, "skills"}, args...)...).ok()
}

// TestAgentsFindTheSkills where `skills install` puts them, for the user and in a
// project.
func TestAgentsFindTheSkills(t *testing.T) {
	names := []string{"runaway-guard", "harness-test-drive"}
	script := modelserver.One(tiny, finished)
	for _, scope := range []string{"user", "project"} {
		t.Run("claude-code/"+scope, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, script)
			h.skills("install", "--harness", "claude-code", "--scope", scope, "--write")
			r := claudeCode().play(h, "Hello")
			for _, name := range names {
				if !slices.Contains(r.skillsOf(), name) {
					r.fatal("the skills are %q", r.skillsOf())
				}
			}
		})
		t.Run("codex/"+scope, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, script)
			codexPlain().setUp(h)
			h.skills("install", "--harness", "codex", "--scope", scope, "--write")
			r := codexPlain().play(h, "Hello")
			r.ok()
			for _, name := range names {
				if !slices.ContainsFunc(h.model.Requests(), func(q modelserver.Request) bool {
					return bytes.Contains(q.Body, []byte(name+"/SKILL.md"))
				}) {
					r.fatal("no request tells of %s", name)
				}
			}
		})
	}
	t.Run("gemini-cli", func(t *testing.T) {
		t.Parallel()
		h := newHome(t, script)
		h.skills("install", "--harness", "gemini-cli", "--write")
		out := h.run(nil, "gemini", "skills", "list").ok()
		for _, name := range names {
			if !strings.Contains(out.stdout+out.stderr, name+"/SKILL.md") {
				out.fatal("it does not list %s", name)
			}
		}
	})
}
