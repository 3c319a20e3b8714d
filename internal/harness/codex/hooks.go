package codex

import "checkrein/internal/harness"

// Hooks is how Codex gets hooks.
func Hooks() harness.Hooks {
	return harness.Hooks{
		Name: harness.Codex, Program: "codex", Folder: ProjectFolder,
		User: func(getenv func(string) string, home string) string {
			return UserSettings(getenv("CODEX_HOME"), home)
		},
		Project: ProjectSettings,
		Events:  func(string, func(string) bool) []string { return HookEvents() },
		Timeout: HookTimeout,
		Notes:   func(i harness.Installing) []string { return InstallNotes(!i.User, i.Stops) },
		ByPlace: true, Shows: "whether the hook is trusted", Archive: Archive,
	}
}
