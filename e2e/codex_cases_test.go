//go:build e2e

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

func loopOf(c cli) modelserver.Script {
	return modelserver.One(tiny, c.step(mark("a")), c.step(mark("a")), c.step(mark("a")), finished)
}

// TestCodexRunsNoUntrustedHook: without trust Codex says nothing and runs
// nothing, which is why install must say how to give it.
func TestCodexRunsNoUntrustedHook(t *testing.T) {
	t.Parallel()
	c := codexPlain()
	h := c.ready(t, loopOf(c))
	r := h.codex("Do the scripted task")
	r.ok()
	if diff := cmp.Diff([]string{"a", "a", "a"}, h.ran()); diff != "" {
		r.fatal("what ran: %s", diff)
	}
	if s := h.status(); s.Session != "" {
		r.fatal("the guard ran: %+v", s)
	}
}

// TestCodexTrustsTheHookByItsHash: the hash that a user's consent writes is of
// the entry as install wrote it.
func TestCodexTrustsTheHookByItsHash(t *testing.T) {
	t.Parallel()
	c := codexPlain()
	h := c.ready(t, loopOf(c))
	h.configureCodex(c.model, h.trust(c.settings))
	r := h.codex("Do the scripted task")
	r.ok()
	if diff := cmp.Diff([]string{"a", "a"}, h.ran()); diff != "" {
		r.fatal("what ran: %s", diff)
	}
	if len(r.shown) != 0 {
		r.fatal("messages: %q", r.shown)
	}
	s := h.status()
	sameMoney(t, "the total", s.Total, h.spent())
}

// trust writes the tables of config.toml that trust every hook of a file: a
// hash over each one's compact JSON with sorted keys.
func (h *home) trust(settings string) string {
	h.t.Helper()
	var tables strings.Builder
	for event, groups := range h.hooks(settings).Hooks {
		for g, group := range groups {
			for i, hook := range group.Hooks {
				if event == "SessionEnd" {
					hook.Timeout = min(hook.Timeout, 3) // Codex's own limit, set before it hashes
				}
				key := fmt.Sprintf("%s:%s:%d:%d", filepath.Join(h.dir, settings), snake(event), g, i)
				fmt.Fprintf(&tables, "[hooks.state.%q]\ntrusted_hash = \"sha256:%x\"\n", key, sha256.Sum256(compact(h.t, map[string]any{
					"event_name": snake(event),
					"hooks": []any{map[string]any{
						"async": false, "command": hook.Command, "timeout": hook.Timeout, "type": hook.Type,
					}},
				})))
			}
		}
	}
	return tables.String()
}

// compact is JSON without spaces, keys sorted, and & < > as they are.
func compact(t *testing.T, value any) []byte {
	t.Helper()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// snake turns PreToolUse into pre_tool_use.
func snake(event string) string {
	var out []rune
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			out = append(out, '_')
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(out)
}
