//go:build e2e

package e2e

import (
	"testing"

	"checkrein/e2e/modelserver"
)

// TestDayCapOverTwoSessions: what one session spent counts for the next one, and a
// third one's first prompt is refused, until it is allowed to go on.
func TestDayCapOverTwoSessions(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.One(tiny, c.dear("first"), c.step(mark("more")), finished))
		h.env = append(h.env, "RUNAWAY_GUARD_DAY_CAP_USD=1")
		first := c.play(h, "Do the scripted task")
		first.ok()
		first.same("trips of the first session", tripped(h.status()))

		h.model.Play(modelserver.One(tiny, append([]modelserver.Turn{c.dear("second")}, c.afterwards()...)...))
		before := h.paid()
		second := c.play(h, "Do the scripted task")
		second.ok()
		for _, word := range h.ran() {
			if len(word) > 4 && word[:4] == "over" {
				second.fatal("what ran: %q", h.ran())
			}
		}
		s := h.status()
		second.same("trips of the second session", tripped(s), "spend")
		if s.Session == first.session {
			second.fatal("it is the same session")
		}
		if c.endsTurn {
			second.count("requests of the second session", h.paid()-before, 1)
			second.says("messages", second.shown, "a day", "$1.2", "$1.00")
		} else {
			second.says("what was blocked", second.blocked, "a day", "$1.2", "$1.00")
		}

		before = h.paid()
		third := c.play(h, "Do the scripted task")
		third.ok()
		third.count("requests of the third session", h.paid()-before, 0)

		h.guard("allow", "--session", third.session)
		h.model.Play(modelserver.One(tiny, c.step(mark("allowed")), finished))
		c.play(h, "Go on", c.resume(third.session)...).ok()
		third.count("requests after allow", h.paid()-before, 2)
	})
}
