package claudecode

import "checkrein/internal/harness"

// Skills are read from the own folders, the user's and the project's, and no other
// (tried with 2.1.332; code.claude.com/docs/en/skills).
func Skills() harness.Skills {
	return harness.Skills{Name: harness.ClaudeCode, Program: "claude", Home: ".claude", Var: "CLAUDE_CONFIG_DIR", Project: ProjectFolder}
}
