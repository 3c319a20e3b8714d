package claudecode

import (
	"fmt"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
)

// ProjectFolder is where a project keeps its Claude Code settings.
const ProjectFolder = ".claude"

// PostToolBatch comes after the calls of one response and before the next
// request, which an answer to it can still stop (seen in 2.1.332: one request
// fewer than a PreToolUse stop). Claude Code has it since 2.1.118 or 2.1.119.
const PostToolBatch = harness.PostToolBatch

// UserSettings is the settings file of all the user's sessions, from
// CLAUDE_CONFIG_DIR and the home folder.
func UserSettings(configDir, home string) string {
	if configDir == "" {
		configDir = filepath.Join(home, ".claude")
	}
	return filepath.Join(configDir, "settings.json")
}

// ProjectSettings is the project's settings file that the team does not share:
// nobody gets a hook by cloning.
func ProjectSettings(project string) string {
	return filepath.Join(project, ProjectFolder, "settings.local.json")
}

// HookEvents lists the events to register, given what `claude --version` says,
// "" when it says nothing. PostToolBatch is among them from 2.1.101 on: versions
// up to 2.1.100 ignore a whole settings file that names an event they don't
// know, the user's permission rules included (tried: 1.0.128, 2.0.75 and 2.1.100
// ignore it; 2.1.101, 2.1.105, 2.1.117, 2.1.197 and 2.1.332 skip the event alone).
func HookEvents(version string) []string {
	events := []string{
		harness.PreToolUse, harness.UserPromptSubmit, harness.Stop, harness.SubagentStop, harness.SessionEnd,
	}
	if skipsUnknownEvents(version) {
		events = append(events, PostToolBatch)
	}
	return events
}

func skipsUnknownEvents(version string) bool {
	var major, minor, patch int
	if n, _ := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); n != 3 {
		return false
	}
	switch {
	case major != 2:
		return major > 2
	case minor != 1:
		return minor > 1
	}
	return patch >= 101
}

// InstallNotes says what somebody who installs the hook has to know. status is
// the command that shows a session's counts, events what is registered.
func InstallNotes(user, batch bool, status string) []string {
	notes := []string{
		"Claude Code takes up a changed hook in sessions that already run. One the guard has counted before is " +
			"stopped at its next call once it is over the cap; to let it go on, type " + strings.TrimSuffix(status, " status") +
			" allow. One it meets for the first time counts from then on.",
	}
	if !batch {
		notes = append(notes, "No hook for "+PostToolBatch+" is added: Claude Code 2.1.100 and older ignore a whole settings "+
			"file that names an event they don't know, and `claude --version` did not tell of a newer one. Run install "+
			"again once it does.")
	}
	if user {
		notes = append(notes, "Cursor runs the hooks in Claude Code's settings too. The guard knows Cursor's calls by their "+
			"form and lets them through; that was never tried inside Cursor.")
	}
	return notes
}
