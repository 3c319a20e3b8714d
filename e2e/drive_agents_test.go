//go:build e2e

package e2e

import (
	"slices"

	"checkrein/e2e/modelserver"
)

const codexModel = "gpt-5.5"

// The programs of the test's repository, before and after their fixes, and as
// a model that has not understood the task leaves them.
const (
	sumWrong   = "echo $(($1 - $2))\n"
	sumRight   = "echo $(($1 + $2))\n"
	greetWrong = "echo \"hello\"\n"
	greetRight = "echo \"hello $1\"\n"
	greetLoud  = "echo \"HELLO\"\n"
)

// driven is one agent in the test drive: how its model edits, runs commands
// and is told no, with a usage of its own.
type driven struct {
	name    string
	model   string
	version string // as its --version says it
	usage   modelserver.Usage
	shell   func(command string) modelserver.Tool
	edit    func(file, from, to string) []modelserver.Tool
	// denies: a command that is not the test command is refused. Codex has its
	// sandbox in place of that.
	denies bool
	// refused is what it says of an expired login, and login the fix.
	refused, login string
	source         string // where the cost of its runs comes from
	counts         bool   // its output tells runs of the test command, and no turns
	// wrongLines is how many lines its failing run changes.
	wrongLines int
}

func drivenAgents() []driven { return []driven{drivenClaude(), drivenCodex(), drivenGemini()} }

func drivenClaude() driven {
	return driven{
		name: "claude-code", model: claudeModel, version: "2.1.332 (Claude Code)", shell: bash, denies: true,
		usage: modelserver.Usage{Input: 1100, CacheRead: 9000, CacheWrite5m: 700, CacheWrite1h: 300, Output: 210},
		edit: func(file, from, to string) []modelserver.Tool {
			return []modelserver.Tool{
				{Name: "Read", Input: map[string]any{"file_path": file}},
				{Name: "Edit", Input: map[string]any{"file_path": file, "old_string": from, "new_string": to}},
			}
		},
		refused: "Invalid API key · Fix external API key",
		login:   "sign in: run claude once", source: "reported", wrongLines: 2,
	}
}

func drivenCodex() driven {
	return driven{
		name: "codex", model: codexModel, version: "codex-cli 0.171.0", shell: execCommand,
		usage: modelserver.Usage{Input: 1300, CacheRead: 8000, CacheWrite5m: 500, Output: 330, Reasoning: 60},
		edit: func(file, from, to string) []modelserver.Tool {
			patch := "*** Begin Patch\n*** Update File: " + file + "\n@@\n-" + from + "+" + to + "*** End Patch\n"
			return []modelserver.Tool{{Name: "apply_patch", Patch: patch}}
		},
		refused: "unexpected status 401 Unauthorized: invalid x-api-key, url: URL/v1/responses",
		login:   "sign in: run codex once", source: "tokens", counts: true,
	}
}

func drivenGemini() driven {
	return driven{
		name: "gemini-cli", model: geminiModel, version: "0.61.0", shell: shellCommand, denies: true,
		usage: modelserver.Usage{Input: 900, CacheRead: 7000, Output: 150, Reasoning: 40},
		edit: func(file, from, to string) []modelserver.Tool {
			return []modelserver.Tool{{Name: "replace", Input: map[string]any{
				"file_path": file, "old_string": from, "new_string": to, "instruction": "Change the line",
			}}}
		},
		refused: `[API Error: {"error":{"code":401,"message":"invalid x-api-key","status":"UNAUTHENTICATED"}}]`,
		login:   "sign in: run gemini once", source: "tokens", wrongLines: 2,
	}
}

// turns is one turn for each call, and a last one without.
func (d driven) turns(calls ...modelserver.Tool) []modelserver.Turn {
	var all []modelserver.Turn
	for _, c := range calls {
		all = append(all, modelserver.Turn{Text: "Next.", Tools: []modelserver.Tool{c}, Usage: d.usage})
	}
	return append(all, modelserver.Turn{Text: "Finished.", Usage: d.usage})
}

// forbidden is a command that no agent may run.
const forbidden = "curl -s http://127.0.0.1:9/"

// solves edits sum as its commit did, runs the tests, and tries what it may not.
func (d driven) solves() modelserver.Thread {
	calls := append(d.edit("src/sum.sh", sumWrong, sumRight), d.shell(testCommand))
	if d.denies {
		calls = append(calls, d.shell(forbidden))
	}
	return modelserver.Thread{Name: d.name + " solves", Says: sumSubject, Model: d.model, Turns: d.turns(calls...)}
}

// fails makes greet wrong in another way; Codex only runs the tests.
func (d driven) fails() modelserver.Thread {
	calls := []modelserver.Tool{d.shell(testCommand)}
	if d.denies {
		calls = slices.Concat(d.edit("src/greet.sh", greetWrong, greetLoud), calls)
	}
	return modelserver.Thread{Name: d.name + " fails", Says: greetSubject, Model: d.model, Turns: d.turns(calls...)}
}

// solveAndFail is what the models of all three say.
func solveAndFail() modelserver.Script {
	var s modelserver.Script
	for _, d := range drivenAgents() {
		s.Threads = append(s.Threads, d.solves(), d.fails())
	}
	return s
}
