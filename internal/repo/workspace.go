package repo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Workspace is one fresh copy. Its methods must not run while an agent or a
// test does; they are not safe for concurrent use.
type Workspace struct {
	Dir string // the copy's folder, absolute

	repo   *Repo
	commit string
	files  []file  // of the commit
	git    *gitDir // outside the copy: takes baseline and differences
	base   *snapshot
	place  os.FileInfo // of Dir when it was made
}

func randomName() string { return strings.ToLower(rand.Text()[:16]) }

func (r *Repo) newWorkspace(root string, t *template) (*Workspace, error) {
	state, err := os.MkdirTemp(r.scratch.dir, "git-*")
	if err != nil {
		return nil, err
	}
	git, err := newGitDir(state, r.format)
	if err == nil {
		err = os.WriteFile(filepath.Join(state, "info", "attributes"), []byte(noAttributes), 0o666)
	}
	if err != nil {
		return nil, err
	}
	dir, err := r.scratch.newCopy(root)
	if err != nil {
		return nil, err
	}
	place, err := os.Lstat(dir)
	return &Workspace{Dir: dir, repo: r, commit: t.commit, files: t.files, git: git, place: place}, err
}

// errMoved is what an agent gets that moves its copy away or links it elsewhere.
var errMoved = errors.New("the copy's folder was replaced")

// root opens the copy for access that can't leave it.
func (ws *Workspace) root() (*os.Root, error) {
	info, err := os.Lstat(ws.Dir)
	if err != nil || !os.SameFile(info, ws.place) {
		return nil, errMoved
	}
	reopen(ws.Dir, info)
	root, err := os.OpenRoot(ws.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the copy: %w", err)
	}
	if info, err := root.Stat("."); err != nil || !os.SameFile(info, ws.place) {
		return nil, errors.Join(errMoved, root.Close())
	}
	return root, nil
}

// noAttributes outranks every .gitattributes, which git would read from the
// index: none converts a content or hides its lines.
const noAttributes = "* !text !eol !crlf !ident !filter !working-tree-encoding !diff !merge !whitespace\n"

// Commit is the id of the commit that the copy was made of.
func (ws *Workspace) Commit() string { return ws.commit }

// Remove deletes the copy and all that was kept of it.
func (ws *Workspace) Remove() error { return errors.Join(removeAll(ws.Dir), ws.Keep()) }

// Keep leaves the copy to the user and deletes only what was kept of it.
func (ws *Workspace) Keep() error {
	return errors.Join(removeBeside(ws.Dir), removeAll(ws.git.dir), ws.repo.scratch.release(ws.Dir))
}

// WriteFiles sets each path in the copy to its state at commit: written when the
// commit has it, removed when it has not. Paths that lead out of the copy or
// into a .git are passed over; a link where a folder belongs is removed first.
func (ws *Workspace) WriteFiles(ctx context.Context, commit string, paths []string) error {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !Inside(p) })
	if len(paths) == 0 {
		return nil
	}
	files, err := ws.repo.tree(ctx, commit, paths...)
	if err != nil {
		return err
	}
	if err := ws.repo.blobs.fill(ctx, ws.repo, files); err != nil {
		return err
	}
	return ws.put(files, paths)
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

// maxEdit is more than any source file that a person wrote.
const maxEdit = 4 << 20

// Edit changes files in the copy, by what they hold there and at a commit. Files
// that one of both lacks stay as they are, and so does what is no plain file.
func (ws *Workspace) Edit(ctx context.Context, commit string, paths []string, edit func(here, there string) string) error {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !Inside(p) })
	if len(paths) == 0 {
		return nil
	}
	files, err := ws.repo.tree(ctx, commit, paths...)
	if err != nil {
		return err
	}
	if err := ws.repo.blobs.fill(ctx, ws.repo, files); err != nil {
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
