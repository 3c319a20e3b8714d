package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

// keepTemplates is how many prepared copies stay ready. Trials and checks work
// on few commits at a time; the contents of files are kept for all.
const keepTemplates = 8

// template is a prepared copy of one commit: where the content of each file
// stands, and the copy's own .git.
type template struct {
	commit string
	files  []file
	dirs   []string // every folder, parents first
	own    []ownFile
	ready  chan struct{} // closed when it is prepared
	err    error
}

// ownFile is one file of the copy's own .git.
type ownFile struct {
	path string // below .git
	mode os.FileMode
	in   *os.File // a file without a name
	size int64
}

func (t *template) close() {
	<-t.ready
	for _, f := range t.own {
		_ = f.in.Close() // nothing was promised to be on disk
	}
}

// template returns the prepared copy of a commit, making it on first use.
// Whoever needs one that is being made waits for it.
func (r *Repo) template(ctx context.Context, commit string) (*template, error) {
	r.mu.Lock()
	t, known := r.templates[commit]
	if !known {
		t = &template{commit: commit, ready: make(chan struct{})}
		r.templates[commit] = t
		r.recent = append(r.recent, commit)
		defer r.forget()
	}
	r.mu.Unlock()
	if !known {
		t.err = t.prepare(ctx, r)
		close(t.ready)
	}
	<-t.ready
	if t.err != nil {
		r.drop(t)
	}
	return t, t.err
}

// drop forgets a template that could not be made, so that the next try starts
// anew (the first one may have been stopped).
func (r *Repo) drop(t *template) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.templates[t.commit] == t {
		delete(r.templates, t.commit)
		r.recent = slices.DeleteFunc(r.recent, func(c string) bool { return c == t.commit })
	}
}

// forget lets the oldest templates go. Their files close when the garbage
// collector finds no copy being made from them.
func (r *Repo) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.recent) > keepTemplates {
		delete(r.templates, r.recent[0])
		r.recent = r.recent[1:]
	}
}

func (t *template) prepare(ctx context.Context, r *Repo) error {
	var err error
	if t.files, err = r.tree(ctx, t.commit); err != nil {
		return err
	}
	if err = r.blobs.fill(ctx, r, t.files); err != nil {
		return err
	}
	t.dirs = folders(t.files)
	if t.own, err = r.ownGit(ctx, t.files); err != nil {
		return errors.Join(ErrNoObject, fmt.Errorf("preparing the copy's git repository: %w", err))
	}
	return nil
}

// folders lists every folder that holds files, parents first.
func folders(files []file) []string {
	seen := map[string]bool{"": true}
	var dirs []string
	var add func(dir string)
	add = func(dir string) {
		if !seen[dir] {
			seen[dir] = true
			add(parent(dir))
			dirs = append(dirs, dir)
		}
	}
	for _, f := range files {
		add(parent(f.path))
	}
	return dirs
}
