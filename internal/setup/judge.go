package setup

import (
	"path"
	"slices"
	"strings"
)

// scope is where a result may be used.
type scope uint8

const (
	never    scope = iota
	sameTree       // in copies of the very same files
	sameKey        // where key and inputs are the same
)

// change is one path that a setup made, edited or removed.
type change struct {
	path string
	how  how
}

type how uint8

const (
	added how = iota + 1
	edited
	removed
)

// share is what a setup left, and where that may be used.
type share struct {
	scope   scope
	why     string   // when it is not sameKey
	roots   []string // the uppermost new paths
	edited  []string // paths that had another content
	inputs  []input
	start   int64    // when the setup began, in nanoseconds
	places  string   // see outside.go
	beneath []string // the same
}

// judge says where a result may be used by the paths that a setup changed. has
// tells what the copy held before.
func judge(changes []change, has func(string) bool) (s share) {
	s.scope = sameKey
	for _, c := range changes {
		switch {
		case c.how == removed || c.how == edited && inGit(c.path) && !hooks(c.path):
			return share{scope: never, why: "it changed " + c.path}
		case c.how == edited:
			s.edited = append(s.edited, c.path)
			s.narrow(!hooks(c.path), "it edited "+c.path)
		default:
			if inGit(c.path) && !hooks(c.path) {
				return share{scope: never, why: "it made " + c.path}
			}
			if parent := path.Dir(c.path); parent == "." || has(parent) {
				s.roots = append(s.roots, c.path)
			}
			s.narrow(!hooks(c.path) && !dependency(c.path, has) && !leadsToOne(c.path, changes, has), "it made "+c.path)
		}
	}
	return s
}

func (s *share) narrow(when bool, why string) {
	if when && s.scope == sameKey {
		s.scope, s.why = sameTree, why
	}
}

// leadsToOne tells whether a new path is a folder of nothing but dependency folders.
func leadsToOne(dir string, changes []change, has func(string) bool) bool {
	below := false
	for _, c := range changes {
		rest, in := strings.CutPrefix(c.path, dir+"/")
		if !in {
			continue
		}
		below = true
		if !dependency(c.path, has) && !strings.Contains(rest, "/") && !leadsToOne(c.path, changes, has) {
			return false
		}
	}
	return below
}

func inGit(file string) bool { return file == ".git" || strings.HasPrefix(file, ".git/") }

// hooks tells whether a path is where tools of developers write into a copy's .git.
func hooks(file string) bool {
	return file == ".git/config" || file == ".git/hooks" || strings.HasPrefix(file, ".git/hooks/")
}

// difference lists what changed, in path order. A folder that only has other
// entries did not change, and git may refresh its index.
func difference(before, after map[string]seen) (out []change) {
	for file, now := range after {
		old, was := before[file]
		switch {
		case file == "" || file == ".git/index":
		case !was:
			out = append(out, change{file, added})
		case old.mode != now.mode, old.inode != now.inode, now.links != old.links && !now.isDir(),
			!now.isDir() && (old.size != now.size || old.edit != now.edit || old.change != now.change):
			out = append(out, change{file, edited})
		}
	}
	for file := range before {
		if _, there := after[file]; !there {
			out = append(out, change{file, removed})
		}
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return out
}
