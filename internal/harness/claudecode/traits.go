package claudecode

import "checkrein/internal/harness"

// SwitchOff is the setting that turns every hook off.
const SwitchOff = "disableAllHooks"

// Traits are what Claude Code is known by. The marks were seen in commands that
// version 2.1.332 ran; its own installer names the program by its version.
func Traits() harness.Traits {
	return harness.Traits{
		Label:    harness.Label(harness.ClaudeCode),
		Programs: []string{"claude"},
		Marks:    []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"},
		Packages: []string{"/@anthropic-ai/claude-code", "/share/claude/versions/"},
		Settings: []string{ProjectFolder + "/settings.json", ProjectFolder + "/settings.local.json"},
		Switches: []string{SwitchOff},
	}
}
