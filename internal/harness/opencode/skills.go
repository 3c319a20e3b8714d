package opencode

import "checkrein/internal/harness"

// Skills are read from .agents/skills, .claude/skills, .opencode/skills and
// ~/.config/opencode/skills (tried with 1.18.33; opencode.ai/docs/skills).
func Skills() harness.Skills {
	return harness.Skills{Name: harness.OpenCode, Program: "opencode", Home: ".config/opencode"}
}
