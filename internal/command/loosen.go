package command

import (
	"slices"
	"strings"

	"checkrein/internal/harness"
)

// variables is how the names of our variables begin.
const variables = "RUNAWAY_GUARD_"

// mentioned is the cheap test: most commands have nothing to do with us.
func (g Guarded) mentioned(text string) bool {
	if g.Program != "" && strings.Contains(strings.ToLower(text), g.Program) || strings.Contains(text, variables) ||
		hasAny(text, g.settingsWords()) || hasAny(text, g.Names) {
		return true
	}
	for _, folder := range slices.Concat(g.Folders, g.Files) {
		parent, base := tail(folder)
		if strings.Contains(text, base) || parent != "" && strings.Contains(text, parent) {
			return true
		}
	}
	return g.within(g.Dir)
}

// plainly is for text that can't be read: does it begin with our program?
func (g Guarded) plainly(text string) (string, bool) {
	fields := strings.Fields(text)
	for i, field := range fields {
		fields[i] = strings.Trim(field, ";&|\"'")
	}
	if len(fields) == 0 || program(fields[0]) != g.Program {
		return "", false
	}
	return g.ours(fields[1:])
}

// ours reports whether our program, given these arguments, loosens the guard.
// This is the one list of what does; a command that only shows is none.
func (g Guarded) ours(args []string) (what string, loosens bool) {
	words, options := apart(args)
	if slices.Contains(options, "--help") || slices.Contains(options, "-h") || len(words) < 2 {
		return "", false
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(options, n) })
	}
	switch group, verb := words[0], words[1]; group + " " + verb {
	case "guard allow", "guard reset", "guard uninstall":
		loosens = true
	case "guard status":
		loosens = has("--reset")
	case "guard install":
		loosens = has("--cap", "--uninstall", "--binary")
	case "guard budget":
		loosens = has("--reset-project")
	case "prices import":
		loosens = has("--write")
	}
	return strings.Join(append([]string{g.Program}, words[:2]...), " "), loosens
}

// apart divides arguments into words and the names of options.
func apart(args []string) (words, options []string) {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			name, value, has := strings.Cut(arg, "=")
			if !has || value != "false" {
				options = append(options, name)
			}
			continue
		}
		words = append(words, arg)
	}
	return words, options
}

// typed reports whether text is one of the sentences that a user may type to
// loosen the guard, and nothing else.
func (g Guarded) typed(text string) bool {
	fields := strings.Fields(strings.ToLower(text)) // as the guard reads a prompt
	if len(fields) == 0 || len(fields) > 8 || fields[0] != g.Program {
		return false
	}
	_, loosens := g.ours(fields[1:])
	return loosens
}

// loosening looks for what loosens the guard in the commands of a text.
type loosening struct {
	guarded Guarded
	text    string
	what    string
	dir     string // the working folder; "" if it is not known
}

// call reports whether a command loosens the guard, and keeps what of it does.
func (l *loosening) call(c *call) bool {
	for _, find := range []func(*call) string{l.program, l.variable, l.handed, l.files, l.patch, l.code} {
		if l.what = find(c); l.what != "" {
			return true
		}
	}
	l.move(c)
	return false
}

func (l *loosening) program(c *call) string {
	if c.program() != strings.ToLower(l.guarded.Program) {
		return ""
	}
	if what, loosens := l.guarded.ours(c.args()); loosens {
		return what
	}
	return ""
}

// variable finds a command that sets or unsets one of our variables.
func (l *loosening) variable(c *call) string {
	for _, a := range c.assigns {
		if strings.HasPrefix(a.text, variables) {
			return name(a.text)
		}
	}
	switch c.program() {
	case "export", "declare", "typeset", "readonly", "local", "unset", "env", "set", "setx", "setenv":
		for _, arg := range c.args() {
			if arg = strings.TrimPrefix(arg, "-u"); strings.HasPrefix(arg, variables) {
				return name(arg)
			}
		}
	}
	if len(c.words) > 0 && strings.HasPrefix(strings.ToLower(c.words[0].text), "$env:"+strings.ToLower(variables)) {
		return name(c.words[0].text[len("$env:"):])
	}
	return ""
}

func name(assignment string) string { return assignment[:nameSize(assignment)] }

// handed finds one of the typed sentences on its way to another agent.
func (l *loosening) handed(c *call) string {
	if onlyMentions(c.program()) {
		return ""
	}
	for _, arg := range c.args() {
		if l.guarded.typed(arg) {
			return strings.TrimSpace(arg)
		}
	}
	if given := c.given(); l.guarded.isAgent(c.program()) && l.guarded.typed(given) {
		return strings.TrimSpace(given)
	}
	return ""
}

// given is the input of a command, as far as it is in the text.
func (c *call) given() string {
	if strings.TrimSpace(c.input) != "" {
		return c.input
	}
	return c.from.printed()
}

// onlyMentions: programs to which our words are text to show, find or record.
func onlyMentions(program string) bool {
	switch program {
	case "", "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "git", "gh", "glab", "jj", "hg", "cat", "ls",
		"less", "more", "head", "tail", "sed", "awk", "gawk", "jq", "yq", "wc", "sort", "uniq", "diff", "cmp", "cut", "tr",
		"test", "[", "true", "false", ":", "logger", "man", "which", "type", "find", "fd", "comm", "expr", "say", "wall",
		"export", "local", "declare", "typeset", "readonly", "for", "select", "read", "alias", "notify-send", "column",
		"eval", "xargs", "trap":
		return true
	}
	return isShell(program)
}

func (g Guarded) isAgent(program string) bool {
	return g.has(program, func(t harness.Traits) []string { return t.Programs })
}
