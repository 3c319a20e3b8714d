package repo

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// WriteFiles sets each path in the copy to its state at commit: written when the
// commit has it, removed when it has not. Paths that lead out of the copy or
// into a .git are passed over; a link where a folder belongs is removed first.
func (ws *Workspace) WriteFiles(ctx context.Context, commit string, paths []string) error {
	paths = inside(paths)
	files, err := ws.at(ctx, commit, paths)
	if err != nil || len(paths) == 0 {
		return err
	}
	return ws.put(files, paths)
}

// inside leaves out the paths that lead out of the copy or into a .git.
func inside(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !Inside(p) })
}

// at gives the files that a commit has at paths, their contents at hand. Without
// paths there are none: to git, no path is every path.
func (ws *Workspace) at(ctx context.Context, commit string, paths []string) ([]file, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	files, err := ws.repo.tree(ctx, commit, paths...)
	if err != nil {
		return nil, err
	}
	return files, ws.repo.blobs.fill(ctx, ws.repo, files)
}

// put writes files and removes those of paths that are not among them.
func (ws *Workspace) put(files []file, paths []string) error {
	root, err := ws.root()
	if err != nil {
		return err
	}
	defer root.Close()
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.path] = true
	}
	for _, path := range paths {
		if !there[path] {
			if err := clearPath(root, path); err != nil {
				return fmt.Errorf("removing from the copy: %w", err)
			}
		}
	}
	for _, f := range files {
		data, err := ws.content(f.id)
		if err == nil {
			err = putFile(root, f, data)
		}
		if err != nil {
			return fmt.Errorf("writing into the copy: %w", err)
		}
	}
	return nil
}

// maxEdit is more than any source file that a person wrote.
const maxEdit = 4 << 20

// Edit changes files in the copy, by what they hold there and at a commit. Files
// that one of both lacks stay as they are, and so does what is no plain file.
func (ws *Workspace) Edit(ctx context.Context, commit string, paths []string, edit func(here, there string) string) error {
	paths = inside(paths)
	files, err := ws.at(ctx, commit, paths)
	if err != nil || len(paths) == 0 {
		return err
	}
	root, err := ws.root()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := ws.editOne(root, f, edit); err != nil {
			return fmt.Errorf("writing into the copy: %w", err)
		}
	}
	return nil
}

func (ws *Workspace) editOne(root *os.Root, f file, edit func(here, there string) string) error {
	info, err := root.Lstat(f.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxEdit || f.mode == modeLink {
		return nil
	}
	here, err := root.ReadFile(f.path)
	if err != nil {
		return err
	}
	there, err := ws.content(f.id)
	if err != nil {
		return err
	}
	if text := edit(string(here), string(there)); text != string(here) {
		return putFile(root, f, []byte(text))
	}
	return nil
}
