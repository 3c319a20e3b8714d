package opencode

import "checkrein/internal/harness"

// Traits are what OpenCode is known by, its marks from its source. It has no hooks
// of ours.
func Traits() harness.Traits {
	return harness.Traits{
		Label:    harness.Label(harness.OpenCode),
		Programs: []string{"opencode"},
		Marks:    []string{"OPENCODE", "OPENCODE_PID"},
		Packages: []string{"/opencode-ai/"},
	}
}
