package codex

import (
	"path/filepath"

	"checkrein/internal/harness"
)

// ProjectFolder is where a project keeps its Codex settings.
const ProjectFolder = ".codex"

// Events that only Codex has, or that only its guard needs: a session over its
// cap can be refused before its first request at SessionStart, and
// PostModelRequest tells the exact tokens of each response, compactions too.
const (
	SessionStart     = "SessionStart"
	PostModelRequest = "PostModelRequest"
)

// UserSettings is the hooks file of all the user's sessions, from CODEX_HOME and
// the home folder.
func UserSettings(codexHome, home string) string {
	if codexHome == "" {
		codexHome = filepath.Join(home, ".codex")
	}
	return filepath.Join(codexHome, "hooks.json")
}

// ProjectSettings is the project's hooks file.
func ProjectSettings(project string) string {
	return filepath.Join(project, ProjectFolder, "hooks.json")
}

// HookEvents lists the events to register. Codex 0.171.0 passes over an event it
// does not know (tried). It asks the user to trust each entry, by its text and
// its place in the list, so what later rules need is registered at once.
func HookEvents() []string {
	return []string{
		SessionStart, harness.UserPromptSubmit, harness.PreToolUse, PostModelRequest,
		harness.Stop, harness.SubagentStop, harness.SessionEnd,
	}
}

// HookTimeout is the time-out to register, in seconds. Codex cuts SessionEnd's to
// 3 and complains of a longer one at every start, in the output of codex exec too.
func HookTimeout(event string, usual int) int {
	if event == harness.SessionEnd {
		return min(usual, 3)
	}
	return usual
}

// InstallNotes says what somebody who installs the hook has to know. project tells an
// install in one project, stops that a wire is on that would ask or end the turn.
func InstallNotes(project, stops bool) []string {
	notes := []string{
		"Codex runs a hook only once you trust it. Start codex, type /hooks, and trust each entry whose command holds " +
			"\"guard hook --harness codex\". Until then it skips them, and codex exec says nothing about it. For one codex exec " +
			"without trust: --dangerously-bypass-hook-trust, which runs every hook of the file.",
		"Codex keeps that trust for an entry's text and its place in the list. Neither changes when checkrein is upgraded.",
	}
	if project {
		notes = append(notes, "Codex reads a project's hooks only in projects that you marked as trusted.")
	}
	if stops {
		notes = append(notes, "Codex hooks can't ask you a question and can't end a turn. After a run of failed calls the guard "+
			"blocks the next one and tells the agent to ask you; over the cap it blocks every call.")
	}
	return notes
}
