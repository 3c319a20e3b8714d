package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Reset puts the copy back to its baseline (to its commit, when none was taken):
// everything else in it is deleted, tool caches and the copy's own .git
// included.
func (ws *Workspace) Reset(ctx context.Context) error {
	t, err := ws.repo.template(ctx, ws.commit)
	if err != nil {
		return err
	}
	if err := ws.empty(); err != nil {
		return fmt.Errorf("emptying the copy: %w", err)
	}
	if err := t.writeTo(ctx, ws.repo.blobs, ws.Dir, &sharing{}); err != nil {
		return err
	}
	if ws.base == nil {
		return nil
	}
	changed, gone := between(t.files, ws.base.files)
	return ws.put(changed, append(gone, pathsOf(changed)...))
}

// empty removes all that is in the copy. A folder that someone has put something
// else in the place of is made anew.
func (ws *Workspace) empty() error {
	info, err := os.Lstat(ws.Dir)
	if err != nil || !os.SameFile(info, ws.place) {
		if err := removeAll(ws.Dir); err != nil {
			return err
		}
		if err := os.Mkdir(ws.Dir, 0o700); err != nil {
			return err
		}
		ws.place, err = os.Lstat(ws.Dir)
		return err
	}
	if err := os.Chmod(ws.Dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(ws.Dir)
	errs := []error{err}
	for _, e := range entries {
		errs = append(errs, removeAll(filepath.Join(ws.Dir, e.Name())))
	}
	return errors.Join(errs...)
}

// between compares two sorted lists of files: what is new or different in after,
// and which paths are gone.
func between(before, after []file) (changed []file, gone []string) {
	old := make(map[string]file, len(before))
	for _, f := range before {
		old[f.path] = f
	}
	for _, f := range after {
		if old[f.path] != f {
			changed = append(changed, f)
		}
		delete(old, f.path)
	}
	for path := range old {
		gone = append(gone, path)
	}
	slices.Sort(gone)
	return changed, gone
}

func pathsOf(files []file) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.path
	}
	return out
}
