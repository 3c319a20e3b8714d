package claudecode

import "checkrein/internal/harness"

// Hooks is how Claude Code gets hooks.
func Hooks() harness.Hooks {
	return harness.Hooks{
		Name: harness.ClaudeCode, Program: "claude", Folder: ProjectFolder,
		User: func(getenv func(string) string, home string) string {
			return UserSettings(getenv("CLAUDE_CONFIG_DIR"), home)
		},
		Project: ProjectSettings, Shared: []string{ProjectFolder + "/settings.json"},
		Events: events, Versioned: true,
		Timeout: func(_ string, usual int) int { return usual },
		Notes: func(i harness.Installing) []string {
			return InstallNotes(i.User, i.Registered(PostToolBatch), i.Status)
		},
		Switch: SwitchOff, Plugins: "enabledPlugins", Shows: "whether the hook is loaded", Archive: Archive,
	}
}

// events holds to what an earlier install knew of the version while it can't be
// asked.
func events(version string, registered func(event string) bool) []string {
	all := HookEvents(version)
	if version == "" && registered(PostToolBatch) {
		all = append(all, PostToolBatch)
	}
	return all
}
