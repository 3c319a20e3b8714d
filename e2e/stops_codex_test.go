//go:build e2e

package e2e

import (
	"testing"

	"checkrein/e2e/modelserver"
)

// codexes are Codex's two kinds of models.
func codexes(t *testing.T, play func(t *testing.T, c cli)) {
	each(t, func(t *testing.T, c cli) {
		if c.harness == "codex" {
			play(t, c)
		}
	})
}

// TestCodexOverTheCapEveryCallIsBlocked: no hook of Codex ends a turn, so its
// model goes on asking until it does as the blocked calls tell it.
func TestCodexOverTheCapEveryCallIsBlocked(t *testing.T) {
	codexes(t, func(t *testing.T, c cli) {
		h, r := c.overCap(t)
		r.until(h.ran(), "first", "second")
		r.count("calls blocked", len(r.blocked), 5-len(h.ran()))
		r.says("what the model is told", h.told(), "over its $1.00 cap", "Stop now")
		t.Logf("requests after the response that passed the cap: %d, every call of theirs blocked", h.model.Served(modelserver.Main)-2)
	})
}

// told lists what calls gave, as the last request hands it to the model.
func (h *home) told() (texts []string) {
	requests := h.model.Requests()
	for _, r := range requests[len(requests)-1:] {
		texts = append(texts, string(r.Body))
	}
	return texts
}
