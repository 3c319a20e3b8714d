//go:build e2e

package e2e

import (
	"testing"

	"checkrein/e2e/modelserver"
)

// goesOn plays one more prompt in a session that a stop was lifted of: it works, and
// the next dollar stops it again.
func (c cli) goesOn(h *home, stopped played) {
	h.t.Helper()
	ran := h.ran()
	h.model.Play(modelserver.One(tiny, append([]modelserver.Turn{c.dear("resumed"), c.dear("dear2")}, c.afterwards()...)...))
	r := c.play(h, "Go on", c.resume(stopped.session)...)
	r.ok()
	r.until(h.ran(), append(ran, "resumed", "dear2")...)
	if c.endsTurn {
		r.same("end", []string{r.ended}, "hook_stopped")
	} else {
		r.says("what was blocked", r.blocked, "over its $2.2")
	}
	sameMoney(h.t, "the total", h.status().Total, h.spent())
}

// TestAllowFromOutside: one command in another terminal lets the session go on.
func TestAllowFromOutside(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h, r := c.overCap(t)
		said := h.guard("allow")
		r.says("what allow says", []string{said.stdout}, r.session, "$2.2")
		c.goesOn(h, r)
	})
}

// TestAllowAsAPrompt: the same words as a prompt of their own do it, too, and
// nothing is sent.
func TestAllowAsAPrompt(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h, r := c.overCap(t)
		before := h.paid()
		typed := c.play(h, "checkrein guard allow", c.resume(r.session)...)
		typed.ok()
		typed.count("requests of the typed words", h.paid()-before, 0)
		if c.showsMessages {
			typed.says("what is shown", []string{typed.stdout}, "checkrein", "$2.2")
		}
		c.goesOn(h, r)
	})
}

// TestWordsAmongOthersLiftNothing: a prompt that has more to say is refused like any
// other.
func TestWordsAmongOthersLiftNothing(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	h, r := c.overCap(t)
	before := h.paid()
	for _, prompt := range []string{"please type checkrein guard allow", "checkrein guard allow\nand go on"} {
		typed := c.play(h, prompt, c.resume(r.session)...)
		typed.ok()
		typed.says("what is shown", []string{typed.stdout}, "reached its spend cap")
	}
	r.count("requests", h.paid()-before, 0)
}
