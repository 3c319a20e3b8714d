package repo

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Ahead says what of a history is read while git still lists the rest of it, so
// that git and every core work at the same time.
type Ahead struct {
	Known func(id string) bool // true for a commit of which nothing is wanted; called by several at once
	Files int                  // the lines of a commit that changes more are not wanted
	Lines int                  // the limit that LongerThan will be asked about
	// Merges lists merges, too. What they change is not read.
	Merges bool
}

// partsAhead is how many stretches git may be ahead of those who read them.
const partsAhead = 64

// roomBytes are allocated and never touched, so they take no memory, but the
// garbage collector lets the heap grow by as much before it looks for something to
// free: nearly all that is read is kept in the store's cache, and searching it
// again and again takes a tenth of the time.
const roomBytes = 128 << 20

// ReadHistory is History, with as much read ahead as goes without git. Changes and
// LongerThan do the rest.
func (r *Repo) ReadHistory(ctx context.Context, since string, ahead Ahead) ([]Commit, error) {
	room := make([]byte, roomBytes)
	defer runtime.KeepAlive(room)
	var readers sync.WaitGroup
	parts := make(chan []Commit, partsAhead)
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() { r.readAhead(ctx, parts, ahead) })
	}
	var all [][]Commit
	err := r.list(ctx, since, ahead.Merges, func(part []Commit) {
		all = append(all, part)
		parts <- part
	})
	close(parts)
	readers.Wait()
	return slices.Concat(all...), err
}

// readAhead takes every part, also those that it can't read.
func (r *Repo) readAhead(ctx context.Context, parts <-chan []Commit, ahead Ahead) {
	store, bounded := r.objectStore(ctx), r.boundsHold(ctx)
	for part := range parts {
		if store == nil || ctx.Err() != nil {
			continue
		}
		differ := r.direct.differ()
		fresh := without(part, func(c *Commit) bool { return len(c.Parents) > 1 || ahead.Known != nil && ahead.Known(c.ID) })
		readAll(differ, fresh)
		for _, c := range fresh {
			if bounded && c.read && len(c.Changes) <= ahead.Files {
				bound(differ.Reader, c, ahead.Lines)
			}
		}
		r.direct.rest(differ)
	}
}

// list hands out the commits of the history in stretches, as git prints them; all
// of them when since is "".
func (r *Repo) list(ctx context.Context, since string, merges bool, do func([]Commit)) error {
	l := lister{do: do}
	args := []string{"log", "--format=%H %T %P"}
	if since != "" {
		args = append(args, "--since="+since)
	}
	if !merges {
		args = append(args, "--no-merges")
	}
	cmd := readCommand(ctx, r.Top, append(args, "HEAD")...)
	cmd.Stdout = &l
	err := run(cmd)
	l.flush()
	return err
}

// lister makes commits of what git log prints.
type lister struct {
	line []byte // the start of a line that isn't whole yet
	part []Commit
	do   func([]Commit)
}

func (l *lister) Write(text []byte) (int, error) {
	n := len(text)
	for {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		l.line = append(l.line, line...)
		if !whole {
			return n, nil
		}
		l.add(strings.Fields(string(l.line)))
		l.line, text = l.line[:0], rest
	}
}

func (l *lister) add(ids []string) {
	if len(ids) < 2 {
		return
	}
	if l.part == nil {
		l.part = make([]Commit, 0, stretchDirect)
	}
	l.part = append(l.part, Commit{ID: ids[0], tree: ids[1], Parents: ids[2:]})
	if len(l.part) == stretchDirect {
		l.flush()
	}
}

func (l *lister) flush() {
	l.do(l.part)
	l.part = nil
}

// without leaves out some commits.
func without(part []Commit, out func(*Commit) bool) []*Commit {
	return slices.DeleteFunc(pointers(part), out)
}
