package repo

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
