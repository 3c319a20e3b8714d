package seal

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"checkrein/internal/proc"
)

// Profile is the wall as text for the sandbox of macOS (sandbox-exec -p). It is
// UNTRIED: nobody has run it on macOS, and nothing uses it yet. Rules that come
// later win. There are no mounts in that sandbox, so the copy stays at its own
// path, home is the user's with only a few folders readable, and processes stay
// in sight.
func (s *Seal) Profile(start proc.Start) string {
	home := home(start.Env)
	var b strings.Builder
	rule := func(action, what string, paths ...string) {
		if len(paths) == 0 {
			return // a rule without paths is one for all
		}
		fmt.Fprintf(&b, "(%s %s", action, what)
		for _, path := range paths {
			fmt.Fprintf(&b, "\n  (subpath %s)", strconv.Quote(path))
		}
		b.WriteString(")\n")
	}
	b.WriteString("(version 1)\n(allow default)\n")
	rule("deny", "file-write*", "/")
	rule("deny", "file-read*", "/Users", "/Volumes", "/private/var/folders", "/private/tmp", "/private/var/run", "/var/run")
	rule("allow", "file-read*", eachIn(home, append(append(toolFolders(), packageFolders()...), "Library/Caches"))...)
	for _, own := range start.Own {
		action := "file-read*"
		if own.Write {
			action = "file-read* file-write*"
		}
		rule("allow", action, own.Path)
	}
	rule("deny", "file-read* file-write*", s.Hide...)
	rule("allow", "file-read* file-write*", append([]string{start.Dir, "/dev"}, start.Needs...)...)
	if start.Kind == proc.Tests && !s.Network {
		b.WriteString("(deny network*)\n(allow network* (local ip \"localhost:*\"))\n")
	}
	return b.String()
}

func eachIn(dir string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = filepath.Join(dir, name)
	}
	return out
}
