package command

import (
	"path"
	"slices"
	"strings"
)

// path reports whether a path is, or is in, a folder of ours, is one of our
// files, or has the name of one of our settings files.
func (g Guarded) path(text string) bool {
	if text == "" {
		return false
	}
	return slices.Contains(g.Names, path.Base(slashes(text))) || g.within(text) || slices.ContainsFunc(g.Files, sameAs(text))
}

// sameAs compares a path with absolute ones.
func sameAs(text string) func(string) bool {
	rest, home := atHome(path.Clean(slashes(text)))
	return func(file string) bool {
		return slashes(file) == rest || home && strings.HasSuffix(slashes(file), rest)
	}
}

// atHome takes the home folder off a path.
func atHome(text string) (rest string, home bool) {
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && strings.HasPrefix(rest, "/") {
			return rest, true
		}
	}
	return text, false
}

// within reports whether a path is one of our folders, or lies in one, however
// the way there is spelled: ~/.local/state/NAME, $XDG_STATE_HOME/NAME. A folder
// of the same name elsewhere, skills/NAME, is not ours.
func (g Guarded) within(text string) bool {
	if text == "" {
		return false
	}
	names := elements(text)
	for _, folder := range g.Folders {
		parent, base := tail(folder)
		for i, name := range names {
			if i > 0 && leads(names[i-1], parent) && (name == base || matches(name, base) && reaches(text, names[:i], folder)) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether the names in front of a pattern lead to where our
// folder is. What src/state/* matches lies elsewhere, and x = state * 2 is no path.
func reaches(text string, names []string, folder string) bool {
	to := elements(folder)
	to = to[:len(to)-1]
	switch text = slashes(text); {
	case strings.HasPrefix(text, "~"), strings.HasPrefix(text, "$"):
		names = names[1:]
		to = to[max(0, len(to)-len(names)):]
	case !strings.HasPrefix(text, "/") && !strings.Contains(text[:min(2, len(text))], ":"):
		return false
	}
	return slices.EqualFunc(names, to, matches)
}

// leads: the folder above ours, or an expansion that stands for it.
func leads(name, parent string) bool {
	return name == parent || strings.HasPrefix(name, "$") && strings.Contains(name, "STATE")
}

// matches compares a name of a path, which may be a pattern, with a name.
func matches(name, base string) bool {
	if name == base {
		return true
	}
	if !strings.ContainsAny(name, "*?[") {
		return false
	}
	ok, _ := path.Match(name, base)
	return ok
}

// elements are the names of a path. {a,b} gives both.
func elements(text string) []string {
	text = slashes(text)
	if !strings.Contains(text, "${") && strings.Contains(text, "{") {
		text = strings.NewReplacer("{", "/", ",", "/", "}", "/").Replace(text)
	}
	return slices.DeleteFunc(strings.Split(text, "/"), func(name string) bool { return name == "" || name == "." })
}

// above reports whether one of our folders lies below a path.
func (g Guarded) above(text string) bool {
	text, home := atHome(strings.TrimRight(slashes(text), "/*"))
	return strings.HasPrefix(text, "/") && slices.ContainsFunc(g.Folders, func(folder string) bool {
		if home {
			return strings.Contains(slashes(folder), text+"/")
		}
		return strings.HasPrefix(slashes(folder), text+"/")
	})
}

// tail are the last two names of a folder's path.
func tail(folder string) (parent, base string) {
	folder = strings.TrimRight(slashes(folder), "/")
	parent = path.Base(path.Dir(folder))
	if parent == "." || parent == "/" {
		parent = ""
	}
	return parent, path.Base(folder)
}

func slashes(text string) string { return strings.ReplaceAll(text, `\`, "/") }
