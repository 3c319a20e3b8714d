//go:build e2e

package e2e

import (
	"math"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// TestClaudeBackgroundSubagentIsCounted: the first turn ends before the
// subagent does, whose end then starts another turn by itself.
func TestClaudeBackgroundSubagentIsCounted(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	slow := c.step(mark("sub"))
	slow.Delay = 2e9
	h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
		{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{slow, {Text: "It is left."}}},
		{Name: modelserver.Main, Turns: []modelserver.Turn{
			{Tools: []modelserver.Tool{agent("SUBTASK-7: leave a mark", true)}}, {Text: "It works on."}, finished,
		}},
	}})
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "sub")
	if n := strings.Count(r.stdout, `"type":"result"`); n != 2 {
		r.fatal("%d result lines, want 2", n)
	}
	sameMoney(t, "the total", h.status().Total, h.spent())
}

// TestClaudeForkCountsNothingTwice: the fork's transcript starts with a copy of
// the other one, whose responses are paid for already.
func TestClaudeForkCountsNothingTwice(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	h := c.ready(t, modelserver.One(tiny, c.step(mark("one")), finished))
	first := c.play(h, "Do the scripted task")
	first.ok()
	before := h.spent()
	sameMoney(t, "the first session", h.status().Total, before)

	h.model.Play(modelserver.One(tiny, c.step(mark("two")), finished))
	r := c.play(h, "Go on", "--resume", first.session, "--fork-session")
	r.ok()
	r.same("what ran", h.ran(), "one", "two")
	s := h.status()
	if s.Session == first.session {
		r.fatal("it is the same session")
	}
	sameMoney(t, "the fork", s.Total, h.spent()-before)
}

// TestClaudeCallsOfAStreamStillComing: tools start while their own response
// streams. All of them are judged, and the response is counted once, when done.
func TestClaudeCallsOfAStreamStillComing(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	batch := modelserver.Turn{Text: "Four at once.", Pace: 2e8, Tools: []modelserver.Tool{
		bash(mark("a")), bash(mark("a")), bash(mark("a")), bash(mark("b")),
	}}
	h := c.ready(t, modelserver.One(tiny, batch, c.step(mark("c")), finished))
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "a", "a", "b", "c")
	r.same("trips", tripped(h.status()), "loop")
	sameMoney(t, "the total", h.status().Total, h.spent())
}

// TestClaudeOwnTotalIsOurs: what Claude Code itself says the session cost, with
// a subagent, two requests of /compact that no transcript shows, and a last
// answer after which no hook sees a tool call.
func TestClaudeOwnTotalIsOurs(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
		{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{c.step(mark("sub")), {Text: "It is left."}}},
		{Name: modelserver.Main, Turns: []modelserver.Turn{
			c.step(mark("one")),
			{Tools: []modelserver.Tool{agent("SUBTASK-7: leave a mark", false)}},
			{Text: "Half."},
			{Text: "Summary."},
			{Text: "Summary."},
			{Text: "More."},
			{Text: "Finished."},
			finished,
		}},
	}})
	first := c.play(h, "Do the scripted task")
	first.ok()
	h.claude("/compact", "--resume", first.session)
	last := h.claude("Go on", "--resume", first.session)
	s := h.status()
	if last.last.TotalCost == 0 || math.Abs(s.Total/last.last.TotalCost-1) > 0.01 {
		last.fatal("status says $%.6f, Claude Code $%.6f, paid were $%.6f", s.Total, last.last.TotalCost, h.spent())
	}
	if s.Unseen == 0 {
		last.fatal("/compact left no gap: %+v", s)
	}
}
