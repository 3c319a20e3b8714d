package opencode

import "checkrein/internal/harness"

// Traits are what the protection knows OpenCode by. It has no hooks of ours.
func Traits() harness.Traits { return harness.Traits{Programs: []string{"opencode"}} }
