//go:build e2e

package e2e

import (
	"fmt"
	"strings"

	"checkrein/e2e/modelserver"
)

func codexPlain() cli {
	// 5 x 0.015 + 0.5 x 0.05 + 30 x 0.03
	dollar := modelserver.Usage{Input: 15_000, CacheRead: 50_000, Output: 30_000}
	return codexCLI("codex", "gpt-5.5", dollar, execCommand, codexDelegate)
}

func codexCodeMode() cli {
	// 2 x 0.02 + 0.2 x 0.05 + 10 x 0.095
	dollar := modelserver.Usage{Input: 20_000, CacheRead: 50_000, Output: 95_000}
	return codexCLI("codex-code-mode", "gpt-6-sol", dollar, scriptCommand, codexDelegate)
}

func codexCLI(
	name, model string, dollar modelserver.Usage,
	call func(string) modelserver.Tool, delegate func(string) [][]modelserver.Tool,
) cli {
	return cli{
		name: name, harness: "codex", settings: ".codex/hooks.json", model: model,
		dollar: dollar, call: call, delegate: delegate, forgetful: "--ephemeral",
		setUp:  func(h *home) { h.configureCodex(model, "") },
		resume: func(session string) []string { return []string{"resume", session} },
		play: func(h *home, prompt string, more ...string) played {
			args := append([]string{bypass, "--enable", "multi_agent_v2"}, more...)
			r := h.codex(append(args, prompt)...)
			ended := ""
			if r.ended {
				ended = "completed"
			}
			return played{r.output, r.session, ended, r.shown, r.denied}
		},
	}
}

// scriptCommand is a shell call in code mode: JavaScript that makes the call.
func scriptCommand(command string) modelserver.Tool {
	script := fmt.Sprintf("const r = await tools.exec_command({cmd: %q}); text(r.output);", command)
	return modelserver.Tool{Name: "exec", Patch: script}
}

// codexDelegate starts a subagent and then waits for it. The tools have a
// namespace of their own in both modes.
func codexDelegate(task string) [][]modelserver.Tool {
	spawn := map[string]any{"task_name": "count_files", "message": task, "fork_turns": "none"}
	return [][]modelserver.Tool{
		{{Name: "spawn_agent", Namespace: "collaboration", Input: spawn}},
		{{Name: "wait_agent", Namespace: "collaboration", Input: map[string]any{"timeout_ms": 20_000}}},
	}
}

// withoutNotes drops what Codex itself shows because of the bypass flag.
func withoutNotes(shown []string) []string {
	var rest []string
	for _, s := range shown {
		if !strings.Contains(s, bypass) {
			rest = append(rest, s)
		}
	}
	return rest
}
