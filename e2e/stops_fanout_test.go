//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"checkrein/e2e/modelserver"
)

// TestClaudeFanOut: the third subagent of a turn is not started when two are the
// limit; the agent is told and goes on by itself.
func TestClaudeFanOut(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	var turns []modelserver.Turn
	for i := range 3 {
		turns = append(turns, modelserver.Turn{Tools: []modelserver.Tool{agent(fmt.Sprintf("SUBTASK-7 part %d", i), false)}})
	}
	h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
		{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{{Text: "Done."}}, Repeat: true},
		{Name: modelserver.Main, Turns: append(turns, c.step(mark("alone")), finished)},
	}})
	h.env = append(h.env, "RUNAWAY_GUARD_FANOUT_STOP=2")
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.count("requests of subagents", h.model.Served("sub"), 2)
	r.same("what ran", h.ran(), "alone")
	r.says("what was blocked", r.blocked, "another subagent", "2 subagents were started")
	r.same("trips", tripped(h.status()), "fan-out")
}

// TestClaudeNestedAgents: a subagent starts none of its own when one level is the
// limit.
func TestClaudeNestedAgents(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
		{Name: "deep", Says: "SUBTASK-8", Turns: []modelserver.Turn{c.step(mark("deep")), {Text: "Done."}}},
		{Name: "sub", Says: "SUBTASK-7", Turns: []modelserver.Turn{
			{Tools: []modelserver.Tool{agent("SUBTASK-8: go deeper", false)}}, c.step(mark("sub")), {Text: "Done."},
		}},
		{Name: modelserver.Main, Turns: []modelserver.Turn{{Tools: []modelserver.Tool{agent("SUBTASK-7: hand it on", false)}}, finished}},
	}})
	h.env = append(h.env, "RUNAWAY_GUARD_NESTED_AGENTS=1")
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "sub")
	r.count("requests of the second level", h.model.Served("deep"), 0)
	r.says("what was blocked", r.blocked, "another subagent", "level 2")
	r.same("trips", tripped(h.status()), "fan-out")
}
