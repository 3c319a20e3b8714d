//go:build e2e

package e2e

import (
	"testing"

	"checkrein/e2e/modelserver"
)

// cli is one agent CLI as the shared cases see it.
type cli struct {
	name     string
	harness  string // as --harness spells it
	settings string // the file below HOME that holds its hooks
	model    string
	// dollar is a usage that costs one dollar on that model. Half as much again
	// must fit the model's window, or the CLI compacts and plays other turns.
	dollar modelserver.Usage
	// endsTurn: at the cap the turn ends, where others only deny each call.
	endsTurn bool
	// showsMessages: a hook's message to the user is in the headless output.
	showsMessages bool
	// forgetful is the flag with which the CLI keeps no transcript.
	forgetful string
	// call is one shell call as the model makes it.
	call func(command string) modelserver.Tool
	// delegate is how the model hands a task to a subagent and waits for it:
	// one turn for each list of tools.
	delegate func(task string) [][]modelserver.Tool
	// setUp makes the CLI use the model server.
	setUp func(h *home)
	// play runs one prompt headless; more are flags, put before the prompt.
	play func(h *home, prompt string, more ...string) played
	// resume are the flags that go on with a session.
	resume func(session string) []string
}

// played is what one run did, as far as the shared cases look at it.
type played struct {
	output
	session string
	ended   string   // how the turn ended, in the CLI's own word
	shown   []string // messages to the user
	blocked []string // why calls were blocked
}

// clis are all of them. Newer Codex models wrap their calls in a script
// ("code mode"), where hooks, refusals and records take another way.
func clis() []cli { return []cli{claudeCode(), codexPlain(), codexCodeMode()} }

// each runs a case with every CLI.
func each(t *testing.T, play func(t *testing.T, c cli)) {
	for _, c := range clis() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			play(t, c)
		})
	}
}

// ready is a home where the CLI finds the model and the guard is installed;
// more are flags of install.
func (c cli) ready(t *testing.T, s modelserver.Script, more ...string) *home {
	t.Helper()
	h := newHome(t, s)
	c.setUp(h)
	h.guard(append([]string{"install", "--harness", c.harness, "--write"}, more...)...)
	return h
}

// tiny is the usage of turns whose cost doesn't matter, with a bit of every
// kind that all formats have.
var tiny = modelserver.Usage{Input: 100, CacheRead: 2000, Output: 40, Reasoning: 5}

// step is a turn with one shell call.
func (c cli) step(command string) modelserver.Turn {
	return modelserver.Turn{Text: "Next.", Tools: []modelserver.Tool{c.call(command)}}
}

// costing makes a turn cost some dollars.
func (c cli) costing(dollars float64, t modelserver.Turn) modelserver.Turn {
	u := c.dollar
	t.Usage = modelserver.Usage{
		Input: int64(float64(u.Input) * dollars), CacheRead: int64(float64(u.CacheRead) * dollars),
		Output: int64(float64(u.Output) * dollars),
	}
	return t
}

// finished is the last turn of most scripts.
var finished = modelserver.Turn{Text: "Finished."}
