package command

import "strings"

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell", "su", "script", "rbash", "mksh":
		return true
	}
	return false
}

// shellScript is the script that a shell is given: after -c, as its input, or
// by a command that prints one.
func (c *call) shellScript(args []word) string {
	if text, ok := afterScriptOption(c.program(), args); ok {
		return text
	}
	if strings.TrimSpace(c.input) != "" {
		return c.input
	}
	return c.from.printed()
}

// afterScriptOption is the word after -c. The name of a script's file ends the
// options of a shell, so a -c after that is the script's own.
func afterScriptOption(name string, args []word) (string, bool) {
	for i, arg := range args {
		switch {
		case isScriptOption(arg.text):
			if rest := afterOptions(args[i+1:]); len(rest) > 0 {
				return rest[0].text, true
			}
		case strings.HasPrefix(arg.text, "-"), strings.HasPrefix(arg.text, "+"), name == "su", name == "script":
		case i == 0, !strings.HasPrefix(args[i-1].text, "-"): // else it may be an option's value: -o pipefail
			return "", false
		}
	}
	return "", false
}

// isScriptOption: -c, also among others, -lc, and in PowerShell's way, -Command.
func isScriptOption(text string) bool {
	if strings.EqualFold(text, "--command") || strings.EqualFold(text, "-command") {
		return true
	}
	return len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.HasSuffix(text, "c") && len(text) < 6
}

// printed is what a command is known to print.
func (c *call) printed() string {
	if c == nil {
		return ""
	}
	switch c.program() {
	case "echo", "printf":
		return script(afterOptions(c.rest()))
	case "cat", "tee":
		return c.input
	}
	return ""
}
