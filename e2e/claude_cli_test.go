//go:build e2e

package e2e

import "checkrein/e2e/modelserver"

func claudeCode() cli {
	return cli{
		name: "claude-code", harness: "claude-code", settings: ".claude/settings.json", model: claudeModel,
		// 4 x 0.02 + 0.2 x 0.1 + 20 x 0.045
		dollar:   modelserver.Usage{Input: 20_000, CacheRead: 100_000, Output: 45_000},
		endsTurn: true, showsMessages: true, forgetful: "--no-session-persistence",
		call:     bash,
		delegate: func(task string) [][]modelserver.Tool { return [][]modelserver.Tool{{agent(task, false)}} },
		setUp:    func(*home) {},
		resume:   func(session string) []string { return []string{"--resume", session} },
		play: func(h *home, prompt string, more ...string) played {
			r := h.claude(prompt, more...)
			return played{r.output, r.session, r.last.TerminalReason, r.shown, r.errors}
		},
	}
}

// agent starts a subagent; in the background its end comes as a message later.
func agent(task string, background bool) modelserver.Tool {
	return modelserver.Tool{Name: "Agent", Input: map[string]any{
		"description": "Task", "prompt": task, "subagent_type": "general-purpose", "run_in_background": background,
	}}
}
