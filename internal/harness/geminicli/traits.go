package geminicli

import "checkrein/internal/harness"

// Traits are what Gemini CLI is known by. The mark was seen in commands that
// version 0.61.0 ran.
func Traits() harness.Traits {
	return harness.Traits{
		Label:    harness.Label(harness.GeminiCLI),
		Programs: []string{"gemini"},
		Marks:    []string{"GEMINI_CLI"},
		Packages: []string{"/@google/gemini-cli/"},
		Settings: []string{".gemini/settings.json", ".gemini/settings.local.json"},
	}
}
