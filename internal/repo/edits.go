package repo

import (
	"context"

	"checkrein/internal/pack"
)

// Edited is a file before and after a commit; "" for none.
type Edited struct {
	Path, Before, After string
}

// EachEdit hands do the files that commits change and want accepts, by the
// commit's place; several at once. Changes must be known. A commit that misses an
// object is passed over.
func (r *Repo) EachEdit(ctx context.Context, commits []Commit, want func(path string) bool, do func(i int, files []Edited)) error {
	done := make([]bool, len(commits))
	err := r.directly(ctx, len(commits), func(d *pack.Differ, from, to int) {
		for i := from; i < to; i++ {
			files, ok := edits(commits[i], want, func(id contentID, module bool) ([]byte, error) { return content(d.Reader, id, module) })
			if done[i] = ok; ok {
				do(i, files)
			}
		}
	})
	for i, c := range commits {
		if done[i] || err != nil {
			continue
		}
		var files []Edited
		if files, err = r.editsByGit(ctx, c, want); err == nil {
			do(i, files)
		} else if ctx.Err() == nil {
			err = nil // what is missing can't be looked at
		}
	}
	return err
}

func edits(c Commit, want func(path string) bool, read func(id contentID, module bool) ([]byte, error)) (files []Edited, ok bool) {
	for _, ch := range c.Changes {
		if !want(ch.Path) {
			continue
		}
		before, err := read(ch.before, ch.module[0])
		after, failed := read(ch.after, ch.module[1])
		if err != nil || failed != nil {
			return nil, false
		}
		files = append(files, Edited{ch.Path, string(before), string(after)})
	}
	return files, true
}

// editsByGit reads what the object folder doesn't give.
func (r *Repo) editsByGit(ctx context.Context, c Commit, want func(path string) bool) ([]Edited, error) {
	var needed []file
	for _, ch := range c.Changes {
		for side, id := range []contentID{ch.before, ch.after} {
			if want(ch.Path) && !ch.module[side] && !id.none() {
				needed = append(needed, file{path: ch.Path, id: id.String()})
			}
		}
	}
	if err := r.blobs.fill(ctx, r, needed); err != nil {
		return nil, err
	}
	files, ok := edits(c, want, func(id contentID, module bool) ([]byte, error) {
		if module || id.none() {
			return nil, nil
		}
		return r.blobs.read(id.String())
	})
	if !ok {
		return nil, missing(c.ID)
	}
	return files, nil
}
