//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// circle is a script that makes one call again and again.
func (c cli) circle(times int) modelserver.Script {
	turns := make([]modelserver.Turn, times, times+1)
	for i := range turns {
		turns[i] = c.step(mark("again"))
	}
	return modelserver.One(tiny, append(turns, finished)...)
}

// TestSecondLoopEndsTheTurn: the third identical call is blocked and the agent told;
// if it makes the call once more, no further request is paid for. Where no hook can
// end the turn, the call stays blocked and says to stop.
func TestSecondLoopEndsTheTurn(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h := c.ready(t, c.circle(7))
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "again", "again")
		r.says("what was blocked", r.blocked, "3rd identical call", "Try something else")
		r.says("what was blocked", r.blocked, "4th identical call", "Stop now")
		r.same("trips", tripped(h.status()), "loop")
		if !c.endsTurn {
			r.count("calls blocked", len(r.blocked), 5)
			t.Logf("requests after the second block: %d", h.paid()-4)
			return
		}
		r.same("end", []string{r.ended}, "hook_stopped")
		r.count("requests", h.paid(), 4)
		r.says("messages", r.shown, "ended the turn", "4")

		h.model.Play(c.circle(1))
		next := c.play(h, "Go on", c.resume(r.session)...)
		next.ok()
		next.same("what ran after another prompt", h.ran(), "again", "again", "again")
	})
}

// TestCallsThatTakeTurns are caught where no call follows its like.
func TestCallsThatTakeTurns(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		var turns []modelserver.Turn
		for range 3 {
			turns = append(turns, c.step(mark("a")), c.step(mark("b")))
		}
		h := c.ready(t, modelserver.One(tiny, append(turns, c.step(mark("else")), finished)...))
		r := c.play(h, "Do the scripted task")
		r.ok()
		r.same("what ran", h.ran(), "a", "b", "a", "b", "a", "else")
		r.says("what was blocked", r.blocked, "the same 2 calls have come in turn 3 times")
		r.count("calls blocked", len(r.blocked), 1)
		r.same("trips", tripped(h.status()), "loop")
	})
}

// TestSameFailureAfterEdits: with edits in between no repeat is identical, but the
// fourth try at what failed three times with one error is blocked. Numbers and times
// in the error don't matter.
func TestSameFailureAfterEdits(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	try := c.step(mark("try") + `; echo "line $(date +%N): no such column"; exit 1`)
	var turns []modelserver.Turn
	for i := range 3 {
		edit := modelserver.Tool{Name: "Write", Input: map[string]any{"file_path": fmt.Sprintf("edit%d.txt", i), "content": "x"}}
		turns = append(turns, try, modelserver.Turn{Tools: []modelserver.Tool{edit}})
	}
	h := c.ready(t, modelserver.One(tiny, append(turns, try, c.step(mark("else")), finished)...))
	for i := range 3 {
		edit := turns[2*i+1].Tools[0].Input.(map[string]any)
		edit["file_path"] = h.project + "/" + edit["file_path"].(string)
	}
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("what ran", h.ran(), "try", "try", "try", "else")
	if h.read("project/edit2.txt") != "x" {
		r.fatal("the edits did not happen")
	}
	r.says("what was blocked", r.blocked, "it failed 3 times with the same error")
	r.same("trips", tripped(h.status()), "loop")
}

// TestCallsThatCannotRun: no hook is asked about them but that at the end of their
// response, which ends the turn at the third in a row.
func TestCallsThatCannotRun(t *testing.T) {
	for name, tool := range map[string]modelserver.Tool{
		"no such tool":        {Name: "NoSuchTool"},
		"malformed arguments": {Name: "Bash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := claudeCode()
			turns := []modelserver.Turn{c.step(mark("before"))}
			for i := range 6 {
				tool.Input = map[string]any{"nothing": i}
				turns = append(turns, modelserver.Turn{Tools: []modelserver.Tool{tool}})
			}
			h := c.ready(t, modelserver.One(tiny, append(turns, finished)...))
			r := c.play(h, "Do the scripted task")
			r.ok()
			r.same("end", []string{r.ended}, "hook_stopped")
			r.count("requests", h.paid(), 4)
			r.says("messages", r.shown, "ended the turn", "the last 3 tool calls could not run")
			r.same("trips", tripped(h.status()), "invalid")
		})
	}
}

// TestPollIsNoLoop: a call whose result changes may repeat.
func TestPollIsNoLoop(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		poll := c.step(mark("poll") + "; wc -l ran.txt")
		h := c.ready(t, modelserver.One(tiny, append(slices.Repeat([]modelserver.Turn{poll}, 6), finished)...))
		r := c.play(h, "Do the scripted task")
		r.ok()
		if got := strings.Join(h.ran(), " "); got != "poll poll poll poll poll poll" {
			r.fatal("what ran: %s", got)
		}
		r.same("trips", tripped(h.status()))
	})
}
