package codex

import "checkrein/internal/harness"

// Traits are what Codex is known by. The marks were seen in commands that version
// 0.171.0 ran; CODEX_HOME is the user's. Its sandbox is a program too; its hooks are in a file of their
// own or in config.toml; apply_patch has a second name in its shell.
func Traits() harness.Traits {
	return harness.Traits{
		Label:    harness.Label(harness.Codex),
		Programs: []string{"codex", "codex-linux-sandbox"},
		Marks: []string{
			"CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED",
		},
		Packages: []string{"/@openai/codex"},
		Settings: []string{ProjectFolder + "/hooks.json", ProjectFolder + "/config.toml"},
		Patchers: []string{"apply_patch", "applypatch"},
	}
}
