//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestQuietSessionIsNeverTouched: work that is varied, cheap and fails once in
// a while goes on as if there were no guard, and every response is counted, the
// last ones of the session and of its subagent included.
func TestQuietSessionIsNeverTouched(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		turns := []modelserver.Turn{
			c.step(mark("one")), c.step(mark("two") + "; exit 1"), c.step(mark("one")), c.step(mark("three")),
		}
		for _, tools := range c.delegate("SUBTASK-7: leave a mark") {
			turns = append(turns, modelserver.Turn{Text: "Together.", Tools: tools})
		}
		turns = append(turns, c.step(mark("four")), finished)
		h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
			{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{c.step(mark("sub")), {Text: "It is left."}}},
			{Name: modelserver.Main, Turns: turns},
		}})
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "one", "two", "one", "three", "sub", "four")
		r.same("messages", r.shown)
		r.count("requests", h.model.Served(modelserver.Main), len(turns))
		r.count("requests of the subagent", h.model.Served("sub"), 2)
		s := h.status()
		sameMoney(t, "the total", s.Total, h.spent())
		r.same("trips", tripped(s))
	})
}

// TestThirdIdenticalCallIsBlocked and the agent can go on with something else.
func TestThirdIdenticalCallIsBlocked(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.One(tiny,
			c.step(mark("again")), c.step(mark("again")), c.step(mark("again")), c.step(mark("else")), finished))
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "again", "again", "else")
		r.same("trips", tripped(h.status()), "loop")
		if len(r.blocked) != 1 || !strings.Contains(r.blocked[0], "checkrein") {
			r.fatal("blocked: %q", r.blocked)
		}
	})
}

// TestFiveFailuresStop: nobody is there to answer, so the turn ends; where no hook
// can end it, one call is not made and the count starts over. The newest results
// may be read one call late.
func TestFiveFailuresStop(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		var turns []modelserver.Turn
		var all []string
		for i := range 9 {
			all = append(all, fmt.Sprintf("f%d", i))
			turn := c.step(mark(all[i]) + "; exit 1")
			turn.Delay = 150e6 // the transcript is written every 100 ms
			turns = append(turns, turn)
		}
		h := c.ready(t, modelserver.One(tiny, append(turns, finished)...))
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("trips", tripped(h.status()), "failures")
		got, requests := h.ran(), 10
		wanted := func(stop int) []string { return slices.Delete(slices.Clone(all), stop, stop+1) }
		if c.endsTurn {
			r.same("end", []string{r.ended}, "hook_stopped")
			r.says("messages", r.shown, "checkrein", "tool calls all failed") // of 5 or 6, see above
			wanted, requests = func(stop int) []string { return all[:stop] }, len(got)+1
		}
		if !slices.Equal(got, wanted(5)) && !slices.Equal(got, wanted(6)) {
			r.fatal("what ran: %q", got)
		}
		r.count("requests", h.model.Served(modelserver.Main), requests)
	})
}

// TestCapStopsUntilReset: past the cap nothing runs; after a reset the same session
// goes on.
func TestCapStopsUntilReset(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h, r := c.overCap(t)
		before := h.ran()
		r.until(before, "first", "second")
		requests := 6
		if c.endsTurn {
			r.same("end", []string{r.ended}, "hook_stopped")
			requests = 2
		}
		r.count("requests", h.model.Served(modelserver.Main), requests)

		h.guard("reset", "--session", r.session)
		h.model.Play(modelserver.One(tiny, c.step(mark("resumed")), finished))
		r = c.play(h, "Go on", c.resume(r.session)...)
		r.ok()
		r.same("what ran", h.ran(), append(before, "resumed")...)
		s := h.status()
		sameMoney(t, "the total", s.Total, h.spent())
		if s.Spent >= 1 || s.Resets != 1 {
			r.fatal("after the reset: %+v", s)
		}
	})
}

// TestWarningComesOnce at 80 % of the cap. Codex shows it in its terminal
// interface only (TestCodexTerminalShowsTheWarning), not under exec.
func TestWarningComesOnce(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, modelserver.One(tiny,
			c.step(mark("a")), c.costing(0.85, c.step(mark("b"))), c.step(mark("c")), c.step(mark("d")), c.step(mark("e")),
			finished))
		h.env = append(h.env, "RUNAWAY_GUARD_CAP_USD=1")
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "a", "b", "c", "d", "e")
		if c.showsMessages && (len(r.shown) != 1 || !strings.Contains(r.shown[0], "$1.00")) {
			r.fatal("messages: %q", r.shown)
		}
		s := h.status()
		r.same("trips", tripped(s), "warning")
		r.count("warnings", s.Trips["warning"], 1)
	})
}

// TestSubagentSpendCounts: the one response of a subagent, its last, takes the
// session past the cap, and the main agent's next call is the one that stops.
func TestSubagentSpendCounts(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		turns := []modelserver.Turn{c.step(mark("before"))}
		for _, tools := range c.delegate("SUBTASK-7: think hard") {
			turns = append(turns, modelserver.Turn{Text: "Together.", Tools: tools})
		}
		turns = append(turns, c.step(mark("after")), finished)
		h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
			{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{c.costing(1.5, modelserver.Turn{Text: "I thought."})}},
			{Name: modelserver.Main, Turns: turns},
		}}, "--cap", "1")
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "before")
		r.same("trips", tripped(h.status()), "spend")
	})
}

// tripped names the wires that fired, in alphabetical order.
func tripped(s status) []string {
	var names []string
	for name, n := range s.Trips {
		if n > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// same compares a list and ends the case, with the CLI's output, when it differs.
func (r played) same(what string, got []string, want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		r.fatal("%s: %s", what, diff)
	}
}

// count does the same with a number.
func (r played) count(what string, got, want int) {
	r.t.Helper()
	if got != want {
		r.fatal("%s: %d, want %d", what, got, want)
	}
}
