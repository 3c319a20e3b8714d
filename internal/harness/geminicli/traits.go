package geminicli

import "checkrein/internal/harness"

// Traits are what the protection knows Gemini CLI by.
func Traits() harness.Traits {
	return harness.Traits{
		Programs: []string{"gemini"},
		Settings: []string{".gemini/settings.json", ".gemini/settings.local.json"},
	}
}
