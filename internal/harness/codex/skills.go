package codex

import "checkrein/internal/harness"

// Skills are read from .agents/skills, in the home folder and from the working folder
// up to the repository's root, and from the older .codex/skills (tried with 0.171.0;
// developers.openai.com/codex/skills).
func Skills() harness.Skills {
	return harness.Skills{Name: harness.Codex, Program: "codex", Home: ".codex", Var: "CODEX_HOME"}
}
