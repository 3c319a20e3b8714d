package command

import (
	"path"
	"strings"

	"checkrein/internal/harness"
)

// LoosensFile reports whether a path that a tool is to write is one of ours.
func LoosensFile(file string, g Guarded) bool {
	l := loosening{guarded: g, dir: g.Dir}
	return g.path(l.full(file))
}

// LoosensSettings reports whether an edit of an agent's settings would take our
// hook out, switch hooks off or set our variables. old is the text that the
// edit takes away, or all that the file held, and text what comes in its place.
func LoosensSettings(file, old, text string, g Guarded) bool {
	if !g.isSettings(file) {
		return false
	}
	for _, word := range append(g.switches(), variables) {
		if strings.Contains(text, word) && !strings.Contains(old, word) {
			return true
		}
	}
	return strings.Contains(old, ourHook) && !strings.Contains(text, ourHook)
}

// loosensPatch reports whether a patch, as Codex's apply_patch takes it, changes
// a file of ours or takes our hook out of an agent's settings, and which file.
func loosensPatch(text string, g Guarded) (file string, loosens bool) {
	var old, added strings.Builder
	for line := range strings.Lines(text + "\n*** End") {
		if next, ok := strings.CutPrefix(line, "*** "); ok {
			if LoosensSettings(file, old.String(), added.String(), g) || LoosensFile(file, g) {
				return file, true
			}
			_, file, _ = strings.Cut(strings.TrimSpace(next), ": ")
			old.Reset()
			added.Reset()
		}
		switch line[0] {
		case '-':
			old.WriteString(line)
		case '+':
			added.WriteString(line)
		}
	}
	return "", false
}

// patch is loosensPatch for a patch on the command line.
func (l *loosening) patch(c *call) string {
	g := l.guarded
	if !g.has(c.program(), func(t harness.Traits) []string { return t.Patchers }) {
		return ""
	}
	g.Dir = l.dir
	file, _ := loosensPatch(c.given()+"\n"+strings.Join(c.args(), "\n"), g)
	return file
}

const (
	ourHook = "guard hook" // in the entry of an agent's settings that runs us
	noHooks = "del(.hooks" // as jq takes all hooks out
)

// settingsWords are the words that take hooks out of an agent's settings.
func (g Guarded) settingsWords() []string { return append(g.switches(), ourHook, noHooks) }

// switches are the words that turn hooks off.
func (g Guarded) switches() (words []string) {
	for _, t := range g.Harnesses {
		words = append(words, t.Switches...)
	}
	return words
}

// isSettings: the files in which agents keep their hooks.
func (g Guarded) isSettings(file string) bool {
	file = slashes(file)
	return g.has(path.Base(path.Dir(file))+"/"+path.Base(file), func(t harness.Traits) []string { return t.Settings })
}
