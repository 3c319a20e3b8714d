package claudecode

import "checkrein/internal/harness"

// SwitchOff is the setting that turns every hook off.
const SwitchOff = "disableAllHooks"

// Traits are what the protection knows Claude Code by.
func Traits() harness.Traits {
	return harness.Traits{
		Programs: []string{"claude"},
		Settings: []string{ProjectFolder + "/settings.json", ProjectFolder + "/settings.local.json"},
		Switches: []string{SwitchOff},
	}
}
