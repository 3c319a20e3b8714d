// Package registry is the list of all harnesses, for what asks each of them. The
// hook is handed what it needs of it: a reader of databases, which OpenCode's
// folder needs, links more than a hook may.
package registry

import (
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

// Traits are what the protection knows agents by.
func Traits() []harness.Traits {
	return append([]harness.Traits{
		claudecode.Traits(), codex.Traits(), geminicli.Traits(), opencode.Traits(), pi.Traits(),
	}, others()...)
}

// others are agents without a folder here, as nothing else of them is read: they
// could still be told to loosen the guard. Qwen Code is a fork of Gemini CLI and
// keeps its hooks in the same way.
func others() []harness.Traits {
	return []harness.Traits{
		{Programs: []string{"qwen"}, Settings: []string{".qwen/settings.json", ".qwen/settings.local.json"}},
		{Programs: []string{"copilot", "cursor-agent", "amp", "droid", "crush", "goose", "kilo", "aider", "auggie", "cline"}},
	}
}
