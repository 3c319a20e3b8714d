package harness

// Label is a harness's name in sentences; a name that is none stays as it is.
func Label(name string) string {
	switch name {
	case ClaudeCode:
		return "Claude Code"
	case Codex:
		return "Codex"
	case GeminiCLI:
		return "Gemini CLI"
	case OpenCode:
		return "OpenCode"
	}
	return name
}
