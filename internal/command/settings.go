package command

import (
	"path"
	"slices"
	"strings"
)

// LoosensFile reports whether a path that a tool is to write is one of ours.
func LoosensFile(file string, g Guarded) bool {
	l := loosening{guarded: g, dir: g.Dir}
	return g.path(l.full(file))
}

// LoosensSettings reports whether an edit of an agent's settings would take our
// hook out, switch hooks off or set our variables. old is the text that the
// edit takes away, or all that the file held, and text what comes in its place.
func LoosensSettings(file, old, text string) bool {
	if !isSettings(file) {
		return false
	}
	for _, word := range []string{"disableAllHooks", variables} {
		if strings.Contains(text, word) && !strings.Contains(old, word) {
			return true
		}
	}
	return strings.Contains(old, "guard hook") && !strings.Contains(text, "guard hook")
}

// loosensPatch reports whether a patch, as Codex's apply_patch takes it, changes
// a file of ours or takes our hook out of an agent's settings, and which file.
func loosensPatch(text string, g Guarded) (file string, loosens bool) {
	var old, added strings.Builder
	for line := range strings.Lines(text + "\n*** End") {
		if next, ok := strings.CutPrefix(line, "*** "); ok {
			if LoosensSettings(file, old.String(), added.String()) || LoosensFile(file, g) {
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
	if name := c.program(); name != "apply_patch" && name != "applypatch" {
		return ""
	}
	g := l.guarded
	g.Dir = l.dir
	file, _ := loosensPatch(c.given()+"\n"+strings.Join(c.args(), "\n"), g)
	return file
}

// settingsWords are the words that take hooks out of an agent's settings.
func settingsWords() []string { return []string{"disableAllHooks", "guard hook", "del(.hooks"} }

// isSettings: the files in which agents keep their hooks.
func isSettings(file string) bool {
	file = slashes(file)
	folder := path.Base(path.Dir(file))
	switch path.Base(file) {
	case "settings.json", "settings.local.json":
		return slices.Contains([]string{".claude", ".gemini", ".qwen"}, folder)
	case "hooks.json", "config.toml":
		return folder == ".codex"
	}
	return false
}
