//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"
)

// paid is how many requests a model answered, those of the CLI's own included.
func (h *home) paid() int {
	n := 0
	for _, r := range h.model.Requests() {
		if r.Model != "" {
			n++
		}
	}
	return n
}

// dear is a turn that costs so much that two of it pass a cap of one dollar.
func (c cli) dear(word string) modelserver.Turn { return c.costing(0.6, c.step(mark(word))) }

// afterwards are turns that no session over its cap gets to.
func (c cli) afterwards() []modelserver.Turn {
	return []modelserver.Turn{c.step(mark("over1")), c.step(mark("over2")), c.step(mark("over3")), finished}
}

// overCap plays a session until the cap of one dollar stops it.
func (c cli) overCap(t *testing.T, more ...string) (*home, played) {
	t.Helper()
	h := c.ready(t, modelserver.One(tiny, append([]modelserver.Turn{c.dear("first"), c.dear("second")}, c.afterwards()...)...),
		append([]string{"--cap", "1"}, more...)...)
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("trips", tripped(h.status()), "spend")
	return h, r
}

// says insists that one of several texts holds all the words.
func (r played) says(what string, texts []string, words ...string) {
	r.t.Helper()
	for _, text := range texts {
		found := 0
		for _, word := range words {
			if strings.Contains(text, word) {
				found++
			}
		}
		if found == len(words) {
			return
		}
	}
	r.fatal("%s: no text with %q in %q", what, words, texts)
}

// TestClaudeSendsNothingAfterTheCap: the response that passes the cap is the last
// one, because the end of its calls is asked about before the next request.
func TestClaudeSendsNothingAfterTheCap(t *testing.T) {
	t.Parallel()
	h, r := claudeCode().overCap(t)
	r.same("end", []string{r.ended}, "hook_stopped")
	r.count("requests", h.paid(), 2)
	r.says("messages", r.shown, "checkrein", "$1.00", "guard allow --session "+r.session)
}

// until insists on what ran before a stop. The last one, whose response passed the
// cap, may have run or not: that depends on whether the response was written down
// when its call was judged. It is 1 when it ran, else 0.
func (r played) until(got []string, want ...string) (late int) {
	r.t.Helper()
	if len(got) < len(want) {
		want = want[:len(want)-1]
	} else {
		late = 1
	}
	r.same("what ran", got, want...)
	return late
}

// withoutBatches takes the hook of PostToolBatch out of the settings, which
// older versions of Claude Code don't have.
func (h *home) withoutBatches(settings string) {
	h.t.Helper()
	var file map[string]map[string]any
	if err := json.Unmarshal([]byte(h.read(settings)), &file); err != nil {
		h.t.Fatal(err)
	}
	if file["hooks"]["PostToolBatch"] == nil {
		h.t.Fatalf("PostToolBatch is not registered: %v", file)
	}
	delete(file["hooks"], "PostToolBatch")
	text, err := json.Marshal(file)
	if err != nil {
		h.t.Fatal(err)
	}
	h.write(settings, string(text))
}

// TestClaudeSubagentOverTheCap: a stop ends only the subagent, so what the other
// agents still send counts. With PostToolBatch nothing is sent after the response
// that passed the cap; without it the subagent's next call is stopped, and one
// request of the main agent later all is over.
func TestClaudeSubagentOverTheCap(t *testing.T) {
	for name, batches := range map[string]bool{"with PostToolBatch": true, "PreToolUse alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := claudeCode()
			over := c.afterwards()
			if !batches { // no hook waits for the transcript there, which is written every 100 ms
				over[0].Delay = 300e6
			}
			h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
				{Name: "sub", Says: "SUBTASK-7", Turns: append([]modelserver.Turn{c.dear("sub")}, over...)},
				{Name: modelserver.Main, Turns: append([]modelserver.Turn{
					c.dear("before"), {Tools: []modelserver.Tool{agent("SUBTASK-7: spend", false)}},
				}, c.afterwards()...)},
			}}, "--cap", "1")
			if !batches {
				h.withoutBatches(c.settings)
			}
			r := c.play(h, "Do the scripted task")
			r.ok()
			late := r.until(h.ran(), "before", "sub")
			sub, main := 1, 2
			if !batches {
				sub, main = 1+late, 3
			}
			r.same("end", []string{r.ended}, "hook_stopped")
			r.count("requests of the subagent", h.model.Served("sub"), sub)
			r.count("requests of the main agent", h.model.Served(modelserver.Main), main)
			r.same("trips", tripped(h.status()), "spend")
			sameMoney(t, "the total", h.status().Total, h.spent())
			c.everyCallIsStopped(h, r)
		})
	}
}

// everyCallIsStopped lets a prompt through to a session over its cap: the calls of
// the main agent and of its subagents are then answered like the first one.
func (c cli) everyCallIsStopped(h *home, r played) {
	h.t.Helper()
	before, ran := h.paid(), h.ran()
	h.model.Play(modelserver.One(tiny, c.afterwards()...))
	h.env = append(h.env, "RUNAWAY_GUARD_STOP_PROMPTS=0")
	again := c.play(h, "Go on", c.resume(r.session)...)
	again.ok()
	again.same("what ran", h.ran(), ran...)
	again.same("end", []string{again.ended}, "hook_stopped")
	again.count("requests after another prompt", h.paid()-before, 1)
	again.says("messages", again.shown, "checkrein", "$1.00")
}

// TestClaudeSubagentsSideBySide: one passes the cap, and the others end with it,
// each at the end of the calls that it is making.
func TestClaudeSubagentsSideBySide(t *testing.T) {
	t.Parallel()
	c := claudeCode()
	dear := c.dear("dear")
	dear.Delay = 2e9 // the other one is making its call by then
	slow := func(word string) modelserver.Turn { return c.step("sleep 4; " + mark(word)) }
	h := c.ready(t, modelserver.Script{Usage: tiny, Threads: []modelserver.Thread{
		{Name: "dear", Says: "SUBTASK-7", Turns: append([]modelserver.Turn{dear}, c.afterwards()...)},
		{Name: "slow", Says: "SUBTASK-8", Turns: append([]modelserver.Turn{slow("slow1"), slow("slow2")}, c.afterwards()...)},
		{Name: modelserver.Main, Turns: append([]modelserver.Turn{
			c.costing(0.6, modelserver.Turn{Tools: []modelserver.Tool{agent("SUBTASK-7: spend", false), agent("SUBTASK-8: wait", false)}}),
		}, c.afterwards()...)},
	}}, "--cap", "1")
	r := c.play(h, "Do the scripted task")
	r.ok()
	r.same("end", []string{r.ended}, "hook_stopped")
	for _, word := range h.ran() {
		if word != "dear" && word != "slow1" {
			r.fatal("what ran: %q", h.ran())
		}
	}
	r.count("requests of the one that passed the cap", h.model.Served("dear"), 1)
	r.count("requests", h.paid(), 3)
}

// TestPromptOverTheCapSendsNothing, and says why where the CLI shows it: codex
// exec shows nothing of a refused prompt.
func TestPromptOverTheCapSendsNothing(t *testing.T) {
	each(t, func(t *testing.T, c cli) {
		h, r := c.overCap(t)
		before := h.paid()
		again := c.play(h, "Go on", c.resume(r.session)...)
		again.ok()
		again.count("requests of the refused prompt", h.paid()-before, 0)
		if c.showsMessages {
			again.says("what is shown", []string{again.stdout}, "checkrein", "$1.00", "guard allow --session "+r.session)
		}
	})
}
