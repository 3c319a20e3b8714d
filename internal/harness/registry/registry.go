// Package registry is the list of all harnesses, for what asks each of them. The
// hook is handed what it needs of it: a reader of databases, which OpenCode's
// folder needs, links more than a hook may.
package registry

import (
	"slices"

	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
	"checkrein/internal/harness/codex"
	"checkrein/internal/harness/geminicli"
	"checkrein/internal/harness/opencode"
	"checkrein/internal/harness/pi"
)

// Archives are the harnesses whose sessions can be read.
func Archives() []harness.Archive {
	return []harness.Archive{claudecode.Archive(), codex.Archive(), geminicli.Archive(), opencode.Archive(), pi.Archive()}
}

// Headless are the harnesses that trials can run, by name.
func Headless() []harness.Headless {
	return []harness.Headless{claudecode.Headless(), codex.Headless(), geminicli.Headless()}
}

// Hooks are the harnesses that the guard can be installed in.
func Hooks() []harness.Hooks { return []harness.Hooks{claudecode.Hooks(), codex.Hooks()} }

// HooksOf looks one of Hooks up; the first stands for a name that is none.
func HooksOf(name string) harness.Hooks {
	all := Hooks()
	return all[max(0, slices.IndexFunc(all, func(h harness.Hooks) bool { return h.Name == name }))]
}

// Replays are the harnesses whose sessions can be played.
func Replays() []harness.Replay { return []harness.Replay{claudecode.Replay(), codex.Replay()} }

// Skills are the harnesses that read skills, in the order of reports.
func Skills() []harness.Skills {
	return []harness.Skills{claudecode.Skills(), codex.Skills(), geminicli.Skills(), opencode.Skills()}
}

// Traits are what agents are known by.
func Traits() []harness.Traits {
	return append([]harness.Traits{
		claudecode.Traits(), codex.Traits(), geminicli.Traits(), opencode.Traits(), pi.Traits(),
	}, others()...)
}

// others are agents without a folder here, as nothing else of them is read: they
// could still be told to loosen the guard, or start this program. Their marks are
// from their sources and pages; those of an editor's terminal (CURSOR_TRACE_ID) are
// left out. Qwen Code is a fork of Gemini CLI and keeps its hooks in the same way.
// The last ones have names of other programs, too (goose, crush).
func others() []harness.Traits {
	return []harness.Traits{
		{
			Label: "Qwen Code", Programs: []string{"qwen"}, Marks: []string{"QWEN_CODE"}, Packages: []string{"/@qwen-code/qwen-code/"},
			Settings: []string{".qwen/settings.json", ".qwen/settings.local.json"},
		},
		{Label: "Copilot CLI", Programs: []string{"copilot"}, Marks: []string{"COPILOT_CLI"}, Packages: []string{"/@github/copilot/"}},
		{Label: "Cursor", Programs: []string{"cursor-agent"}, Marks: []string{"CURSOR_AGENT"}, Packages: []string{"/share/cursor-agent/versions/"}},
		{Label: "an agent", Marks: []string{"AI_AGENT"}},
		{Programs: []string{"amp", "droid", "crush", "goose", "kilo", "aider", "auggie", "cline"}},
	}
}
