package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Modes of files in a tree.
const (
	modeFile = "100644"
	modeExec = "100755"
	modeLink = "120000"
)

// file is one file as git sees it: a path with slashes, a mode, the id of its
// content.
type file struct {
	path, mode, id string
}

// tree lists the files of a commit in path order. Submodules are left out, and
// so is what no copy may hold: paths that leave the copy or reach into a .git,
// and paths below a file or link.
func (r *Repo) tree(ctx context.Context, commit string, paths ...string) ([]file, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if len(paths) > 0 {
		args = append(append(args, "--"), paths...)
	}
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoObject, err)
	}
	return parseTree(out), nil
}

func parseTree(out []byte) []file {
	var files []file
	for record := range bytes.SplitSeq(out, []byte{0}) {
		meta, path, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || fields[1] != "blob" || !Inside(path) {
			continue
		}
		files = append(files, file{path, plainMode(fields[0]), fields[2]})
	}
	slices.SortFunc(files, byPath)
	return withoutClashes(files)
}

func byPath(a, b file) int { return strings.Compare(a.path, b.path) }

// plainMode maps the modes that old git versions wrote to today's three.
func plainMode(mode string) string {
	switch mode {
	case modeExec, modeLink:
		return mode
	}
	return modeFile
}

// withoutClashes drops files that stand below another file: only a forged tree
// has them, and a link written first would lead the second one out of the copy.
func withoutClashes(files []file) []file {
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		seen[f.path] = true
	}
	last := ""
	return slices.DeleteFunc(files, func(f file) bool {
		if f.path == last {
			return true
		}
		last = f.path
		for dir := parent(f.path); dir != ""; dir = parent(dir) {
			if seen[dir] {
				return true
			}
		}
		return false
	})
}

// parent is the folder of a path; "" at the top.
func parent(path string) string {
	dir, _, _ := cutLast(path)
	return dir
}

// cutLast splits a path before its last component.
func cutLast(path string) (dir, name string, ok bool) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:], true
	}
	return "", path, false
}

// Inside is true for a relative path that stays inside a copy and out of any
// .git.
func Inside(path string) bool {
	if path == "" || strings.ContainsRune(path, 0) {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "", part == ".", part == "..", strings.EqualFold(part, ".git"):
			return false
		}
	}
	return true
}
