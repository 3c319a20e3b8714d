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
			files, ok := edits(commits[i], want, func(id string, module bool) ([]byte, error) { return content(d.Reader, id, module) })
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

func edits(c Commit, want func(path string) bool, read func(id string, module bool) ([]byte, error)) (files []Edited, ok bool) {
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
	none := func(id string, module bool) bool { return module || id == "" || id[:min(len(id), 40)] == zeros }
	for _, ch := range c.Changes {
		for side, id := range []string{ch.before, ch.after} {
			if want(ch.Path) && !none(id, ch.module[side]) {
				needed = append(needed, file{path: ch.Path, id: id})
			}
		}
	}
	if err := r.blobs.fill(ctx, r, needed); err != nil {
		return nil, err
	}
	files, ok := edits(c, want, func(id string, module bool) ([]byte, error) {
		if none(id, module) {
			return nil, nil
		}
		return r.blobs.read(id)
	})
	if !ok {
		return nil, missing(c.ID)
	}
	return files, nil
}

const zeros = "0000000000000000000000000000000000000000"
