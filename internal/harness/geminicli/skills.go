package geminicli

import "checkrein/internal/harness"

// Skills are read from .agents/skills, which wins over .gemini/skills (tried with
// 0.61.0; geminicli.com/docs/cli/using-agent-skills).
func Skills() harness.Skills {
	return harness.Skills{
		Name: harness.GeminiCLI, Program: "gemini", Home: ".gemini",
		Notes: []string{"Gemini CLI asks you before it uses a skill, and reads a project's skills only in folders that you trust."},
	}
}
