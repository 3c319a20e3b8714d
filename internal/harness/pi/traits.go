package pi

import "checkrein/internal/harness"

// Traits are what the protection knows pi by. It has no hooks of ours.
func Traits() harness.Traits { return harness.Traits{Programs: []string{"pi"}} }
