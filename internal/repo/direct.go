package repo

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"checkrein/internal/pack"
)

// direct is the object folder, read without git: a history has some hundred
// thousand small objects, and git takes longer to hand them over than to find
// them. Whatever can't be read here is read by git, and what it then says counts.
type direct struct {
	once  sync.Once
	store *pack.Store // nil where git has to read everything

	differs sync.Pool // of store
}

// holdObjects bounds the objects that are kept in memory, in bytes.
const holdObjects = 96 << 20

// stretchDirect is how many commits a core takes at a time: few, so that all
// cores read the same part of the history and share the objects they have read.
const stretchDirect = 256

func (d *direct) close() error {
	d.once.Do(func() {})
	if d.store == nil {
		return nil
	}
	return d.store.Close()
}

func (d *direct) differ() *pack.Differ {
	if differ, ok := d.differs.Get().(*pack.Differ); ok {
		return differ
	}
	return d.store.Differ()
}

// rest takes a differ of which nothing is used any more.
func (d *direct) rest(differ *pack.Differ) {
	differ.Forget()
	d.differs.Put(differ)
}

// objectStore opens the object folder the first time. It is nil for repositories
// whose objects are not what their folder says, or whose ids are longer.
func (r *Repo) objectStore(ctx context.Context) *pack.Store {
	r.direct.once.Do(func() {
		replaced, err := r.git(ctx, "for-each-ref", "--count=1", "refs/replace")
		if r.format == "sha1" && err == nil && len(replaced) == 0 {
			r.direct.store, _ = pack.Open(r.objects, holdObjects)
		}
	})
	return r.direct.store
}

// verdict is what came of looking at a commit without git.
type verdict byte

const (
	unread verdict = iota // git has to look
	decided
	above // its lines have to be counted
)

// bounds is what came of bounding the lines of a commit.
type bounds struct {
	limit int
	verdict
}

// changesDirectly fills in what commits change, and returns the places of those
// that it can't.
func (r *Repo) changesDirectly(ctx context.Context, commits []Commit) (left []int, err error) {
	err = r.directly(ctx, len(commits), func(d *pack.Differ, from, to int) { readAll(d, pointers(commits[from:to])) })
	for i := range commits {
		if !commits[i].read {
			left = append(left, i)
		}
	}
	return left, err
}

// boundDirectly bounds the lines that commits change. It returns the places of
// those it can't read, and of those above limit, whose lines must be counted.
func (r *Repo) boundDirectly(ctx context.Context, commits []Commit, limit int) (left, open []int, err error) {
	verdicts := make([]verdict, len(commits))
	err = r.directly(ctx, len(commits), func(d *pack.Differ, from, to int) {
		for i := from; i < to; i++ {
			verdicts[i] = bound(d.Reader, &commits[i], limit)
		}
	})
	return places(verdicts, unread), places(verdicts, above), err
}

// directly looks at stretches of n commits, on every core, where there is a store.
func (r *Repo) directly(ctx context.Context, n int, look func(d *pack.Differ, from, to int)) error {
	if r.objectStore(ctx) == nil {
		return nil
	}
	return spread(ctx, n, stretchDirect, func(_ context.Context, from, to int) error {
		differ := r.direct.differ()
		defer r.direct.rest(differ)
		look(differ, from, to)
		return nil
	})
}

func places(verdicts []verdict, wanted verdict) (places []int) {
	for i, v := range verdicts {
		if v == wanted {
			places = append(places, i)
		}
	}
	return places
}

// pointers is the commits, to be filled in.
func pointers(commits []Commit) []*Commit {
	out := make([]*Commit, len(commits))
	for i := range commits {
		out[i] = &commits[i]
	}
	return out
}

// readAll fills in what those of a stretch change that are not read yet. Most
// parents are in the same stretch.
func readAll(d *pack.Differ, commits []*Commit) {
	trees := make(map[string]string, len(commits))
	for _, c := range commits {
		trees[c.ID] = c.tree
	}
	for _, c := range commits {
		c.read = c.read || differences(d, c, trees)
	}
}

// differences fills in what one commit changes. A commit without a parent has
// nothing to be compared with.
func differences(d *pack.Differ, c *Commit, trees map[string]string) bool {
	if len(c.Parents) != 1 || c.Damaged {
		return len(c.Parents) == 0 || c.Damaged
	}
	before, ok := treeOf(d.Reader, c.Parents[0], trees)
	after, valid := pack.ParseID(c.tree)
	if !ok || !valid {
		return false
	}
	found, err := d.Compare(before, after)
	if err != nil {
		return false
	}
	c.Changes = make([]Change, len(found))
	for i, f := range found {
		c.Changes[i] = Change{Path: f.Path, before: packed(f.Before), after: packed(f.After)}
	}
	return true
}

// treeOf is the top folder of a commit, which need not be among those listed.
func treeOf(r *pack.Reader, commit string, trees map[string]string) (pack.ID, bool) {
	if tree, ok := trees[commit]; ok {
		return pack.ParseID(tree)
	}
	id, ok := pack.ParseID(commit)
	if !ok {
		return id, false
	}
	kind, data, err := r.Read(id, readAtMost)
	line, _, cut := bytes.Cut(data, []byte{'\n'})
	tree, named := bytes.CutPrefix(line, []byte("tree "))
	if err != nil || kind != pack.Commit || !cut || !named {
		return id, false
	}
	return pack.ParseID(string(tree))
}

// bound bounds the lines of one commit, unless that is done.
func bound(r *pack.Reader, c *Commit, limit int) verdict {
	if c.bounds.verdict == unread || c.bounds.limit != limit {
		c.bounds = bounds{limit, boundContents(r, c, limit)}
	}
	return c.bounds.verdict
}

// boundContents bounds by contents. A commit that needs much memory is git's to
// count.
func boundContents(r *pack.Reader, c *Commit, limit int) verdict {
	sum := 0
	for _, ch := range c.Changes {
		before, err := content(r, ch.before, ch.module[0])
		after, failed := content(r, ch.after, ch.module[1])
		switch err := errors.Join(err, failed); {
		case errors.Is(err, pack.ErrTooLarge):
			return above
		case err != nil:
			return unread
		}
		if ch.module != [2]bool{} {
			sum += 2
		}
		if sum += linesBound(before, after); sum > limit {
			return above
		}
	}
	return decided
}

// content is what an id of a change stands for; nothing for none and for a
// submodule.
func content(r *pack.Reader, blob contentID, module bool) ([]byte, error) {
	if module || blob.none() {
		return nil, nil
	}
	id, ok := blob.pack()
	if !ok {
		return nil, pack.ErrMissing
	}
	kind, data, err := r.Read(id, readAtMost)
	if err == nil && kind != pack.Blob {
		err = pack.ErrMissing
	}
	return data, err
}
