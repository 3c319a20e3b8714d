// Package decider knows the files of a repository that decide how its tests run:
// settings of test runners and package managers, lock files, CI files, and single
// sections of files that hold other things as well. What an agent has changed
// there is undone before its work is scored, and every other byte stays.
//
// The readers of sections understand no more of a format than where a section
// begins and ends. What they can't tell for sure is undone as a whole file, so a
// trick of syntax gains nothing.
//
// Sources: the manuals of the runners and package managers, as of 2026-11.
package decider

import (
	"path"
	"slices"
)

// Versions are the contents of one file; nil where there is none.
type Versions struct {
	Before, After []byte // where the agent began, and what it left
	// Parent and Gold are the file in the task's parent and in its commit. What
	// differs between them the real fix has changed, and is left to the agent.
	Parent, Gold []byte
	TestCmd      string
}

// What is larger is put back as a whole file: nobody writes such a file, and the
// work on it grows with the square of its parts.
const (
	maxText  = 1 << 20
	maxParts = 20_000
)

// format reads one kind of file.
type format struct {
	split   func(text []byte) (parts []part, ok bool)
	decides func(name string) bool // nil: what was there before decides, and what is new does not
	show    func(name string) string
}

// Partly tells whether only sections of a file decide.
func Partly(file string) bool {
	_, ok := formatOf(file)
	return ok || byLines(path.Base(file))
}

// Undo returns what a file that decides in part is to hold, and the sections
// that are put back; none when nothing was. A nil text means no file, and whole
// that no single section could be put back, so that the file is as before.
func Undo(file string, v Versions) (text []byte, sections []string, whole bool) {
	f, ok := formatOf(file)
	switch {
	case v.After == nil, len(v.After) > maxText:
		return v.Before, nil, v.Before != nil || v.After != nil
	case isMake(path.Base(file)):
		return undoMake(v)
	case ok:
		return undoParts(f, v)
	}
	return undoLines(v)
}

// undoParts puts back the parts that decide.
func undoParts(f format, v Versions) (text []byte, sections []string, whole bool) {
	before, okBefore := f.split(v.Before)
	after, okAfter := f.split(v.After)
	if !okBefore || !okAfter || len(before)+len(after) > maxParts {
		return v.Before, nil, true
	}
	left, old := changedNames(f, v.Parent, v.Gold), named(before, anyPart)
	moved := map[string]bool{}
	for _, p := range after {
		moved[p.name] = moved[p.name] || old[p.name] != nil && redirects(p) && !slices.ContainsFunc(old[p.name], func(b part) bool { return same(p, b) })
	}
	decides := func(p part) bool {
		if f.decides == nil {
			return old[p.name] != nil && !left[p.name]
		}
		return (f.decides(p.name) || moved[p.name]) && !left[p.name]
	}
	merged, sections := merge(before, after, decides)
	if len(sections) == 0 {
		return v.After, nil, false
	}
	text = join(merged)
	if again, ok := f.split(text); !ok || len(differing(before, again, decides)) > 0 {
		return v.Before, nil, true
	}
	return text, shown(f, sections), false
}

func anyPart(part) bool { return true }

// shown is how a report names sections.
func shown(f format, names []string) []string {
	if f.show != nil {
		for i, name := range names {
			names[i] = f.show(name)
		}
	}
	return names
}

// changedNames are the sections that differ between two versions.
func changedNames(f format, from, to []byte) map[string]bool {
	if from == nil && to == nil {
		return nil
	}
	a, okA := f.split(from)
	b, okB := f.split(to)
	if !okA || !okB {
		return nil
	}
	left := map[string]bool{}
	for _, name := range differing(a, b, anyPart) {
		left[name] = true
	}
	return left
}

// formatOf is how a file's sections are read. Make files have a reader of their
// own, because what decides there depends on the rest of the file.
func formatOf(file string) (format, bool) {
	switch path.Base(file) {
	case "package.json", "composer.json", "deno.json":
		return format{split: splitJSON, decides: decidesJSON}, true
	case "pyproject.toml":
		return tomlFormat(pyproject()), true
	case "Cargo.toml":
		return tomlFormat(cargo()), true
	case "Pipfile", "pixi.toml":
		return tomlFormat(scripts()), true
	case "setup.cfg":
		return format{split: splitINI, decides: decidesINI}, true
	case "go.mod":
		return format{split: splitGoMod, decides: decidesGoMod}, true
	case "go.sum":
		return format{split: splitGoSum}, true
	}
	return format{}, isMake(path.Base(file))
}
