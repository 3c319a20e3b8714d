package codex

import "checkrein/internal/harness"

// Traits are what the protection knows Codex by. Its hooks are in a file of their
// own or in config.toml; apply_patch has a second name in its shell.
func Traits() harness.Traits {
	return harness.Traits{
		Programs: []string{"codex"},
		Settings: []string{ProjectFolder + "/hooks.json", ProjectFolder + "/config.toml"},
		Patchers: []string{"apply_patch", "applypatch"},
	}
}
