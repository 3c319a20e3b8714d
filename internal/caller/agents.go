package caller

import (
	"path"
	"slices"
	"strings"
)

// variable is one that an agent sets for the commands it runs.
type variable struct{ name, agent string }

// variables: those of Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0
// were seen in commands that these ran; the others are taken from the agents'
// sources and pages. Names that users set themselves (CODEX_HOME), and those of
// an editor's terminal (CURSOR_TRACE_ID) are left out.
func variables() []variable {
	return []variable{
		{"CLAUDECODE", "Claude Code"},
		{"CLAUDE_CODE_SESSION_ID", "Claude Code"},
		{"CLAUDE_CODE_CHILD_SESSION", "Claude Code"},
		{"CODEX_THREAD_ID", "Codex"},
		{"CODEX_SESSION_ID", "Codex"},
		{"CODEX_TOOL_CALL_ID", "Codex"},
		{"CODEX_CI", "Codex"},
		{"CODEX_SANDBOX", "Codex"},
		{"CODEX_SANDBOX_NETWORK_DISABLED", "Codex"},
		{"GEMINI_CLI", "Gemini CLI"},
		{"QWEN_CODE", "Qwen Code"},
		{"OPENCODE", "OpenCode"},
		{"OPENCODE_PID", "OpenCode"},
		{"PI_CODING_AGENT", "pi"},
		{"COPILOT_CLI", "Copilot CLI"},
		{"CURSOR_AGENT", "Cursor"},
		{"AI_AGENT", "an agent"},
	}
}

// agent is the name of the agent that a process is.
func (p Process) agent() (string, bool) {
	for _, file := range p.files() {
		if agent := byName(path.Base(file)); agent != "" {
			return agent, true
		}
		if agent := byFolder(file); agent != "" {
			return agent, true
		}
	}
	return "", false
}

// files are what a process may be known by: its program, the name it was started
// by, and for a runtime the script that it runs.
func (p Process) files() (all []string) {
	if p.Exe != "" {
		all = append(all, clean(p.Exe))
	}
	if len(p.Args) == 0 {
		return all
	}
	all = append(all, clean(p.Args[0]))
	if slices.ContainsFunc(all, isRuntime) {
		for _, arg := range p.Args[1:] {
			if !strings.HasPrefix(arg, "-") {
				return append(all, clean(arg))
			}
		}
	}
	return all
}

// name is what to call a process.
func (p Process) name() string {
	files := p.files()
	return path.Base(files[len(files)-1])
}

// clean: "claude (deleted)" is a program that was updated while it runs, and
// login shells are started as "-bash".
func clean(file string) string {
	file = strings.TrimSuffix(strings.ReplaceAll(file, `\`, "/"), " (deleted)")
	return strings.TrimSuffix(strings.TrimPrefix(file, "-"), ".exe")
}

func isRuntime(file string) bool {
	switch path.Base(file) {
	case "node", "nodejs", "bun", "deno":
		return true
	}
	return false
}

// byName knows the programs of agents, and the scripts that npm links to them.
func byName(base string) string {
	switch base {
	case "claude":
		return "Claude Code"
	case "codex", "codex-linux-sandbox":
		return "Codex"
	case "gemini":
		return "Gemini CLI"
	case "qwen":
		return "Qwen Code"
	case "opencode":
		return "OpenCode"
	case "pi":
		return "pi"
	case "copilot":
		return "Copilot CLI"
	case "cursor-agent":
		return "Cursor"
	}
	return ""
}

// byFolder knows the packages that a script or a program with a version for a
// name (claude/versions/2.1.332) lies in.
func byFolder(file string) string {
	for _, known := range [...]struct{ folder, agent string }{
		{"/@anthropic-ai/claude-code", "Claude Code"},
		{"/share/claude/versions/", "Claude Code"},
		{"/@openai/codex", "Codex"},
		{"/@google/gemini-cli/", "Gemini CLI"},
		{"/@qwen-code/qwen-code/", "Qwen Code"},
		{"/opencode-ai/", "OpenCode"},
		{"/pi-coding-agent/", "pi"},
		{"/@github/copilot/", "Copilot CLI"},
		{"/share/cursor-agent/versions/", "Cursor"},
	} {
		if strings.Contains(file, known.folder) {
			return known.agent
		}
	}
	return ""
}
