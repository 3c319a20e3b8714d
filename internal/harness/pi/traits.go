package pi

import "checkrein/internal/harness"

// Traits are what pi is known by, its mark from its source. It has no hooks of ours.
func Traits() harness.Traits {
	return harness.Traits{
		Label:    "pi",
		Programs: []string{"pi"},
		Marks:    []string{"PI_CODING_AGENT"},
		Packages: []string{"/pi-coding-agent/"},
	}
}
