package repo

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// Commit is one commit of the history.
type Commit struct {
	ID      string
	Parents []string
	Changes []Change // against the parent, in git's order; none for a commit without a parent
	Damaged bool     // an object is missing, so Changes are unknown
	Merged  []string // of a merge that is looked at as one change: the ids of what came with it, newest first
	tree    string   // id of its top folder; "" when nobody asked
	read    bool     // Changes are known
	bounds  bounds
	whole   bool // a merge, as one change of its first parent
}

// Change is one file that a commit changes.
type Change struct {
	Path          string
	before, after contentID // the contents
	module        [2]bool   // before, after: a submodule, whose id is no content of this repository
}

// History lists the commits of HEAD since a date (as git log takes it), newest
// first, merges left out. What they change is read by Changes.
func (r *Repo) History(ctx context.Context, since string) ([]Commit, error) {
	var commits []Commit
	err := r.list(ctx, since, false, func(part []Commit) { commits = append(commits, part...) })
	return commits, err
}

// Changes fills in what commits change. One that misses an object is marked, not
// an error: a damaged clone still has its other commits. The error of a partial
// clone is ErrNoObject.
func (r *Repo) Changes(ctx context.Context, commits []Commit) error {
	left, err := r.changesDirectly(ctx, commits)
	if err != nil {
		return err
	}
	return r.stretches(ctx, commits, left, r.readChanges)
}

// stretches hands stretches of the commits at places to do, on every core: most
// of the time goes into git processes, each of which uses one.
func (r *Repo) stretches(ctx context.Context, commits []Commit, places []int, do func(context.Context, []Commit) error) error {
	picked := make([]Commit, len(places))
	for i, at := range places {
		picked[i] = commits[at]
	}
	size := min(max(len(picked)/(2*runtime.GOMAXPROCS(0)), 32), 4096) // a git process costs as much as some hundred commits
	err := spread(ctx, len(picked), size, func(ctx context.Context, from, to int) error { return r.salvage(ctx, picked[from:to], do) })
	for i, at := range places {
		commits[at] = picked[i]
	}
	return err
}

// spread hands parts of n things to do, on every core, in order. Its error is the
// first one, which ends all.
func spread(ctx context.Context, n, size int, do func(ctx context.Context, from, to int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+size-1)/size) {
		wg.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(int64(size))) - size
				if from >= n {
					return
				}
				if err := do(ctx, from, min(from+size, n)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// salvage does a stretch, and its halves when git stops at a missing object,
// until only damaged commits are left out.
func (r *Repo) salvage(ctx context.Context, commits []Commit, do func(context.Context, []Commit) error) error {
	err := do(ctx, commits)
	failed := new(gitError)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !errors.As(err, &failed) && !errors.Is(err, ErrNoObject):
		return err
	case r.Partial(ctx): // most of it would be missing
		return errors.Join(ErrNoObject, err)
	case len(commits) == 1:
		commits[0].Damaged, commits[0].Changes = true, nil
		return nil
	}
	half := len(commits) / 2
	if err := r.salvage(ctx, commits[:half], do); err != nil {
		return err
	}
	return r.salvage(ctx, commits[half:], do)
}

// readChanges fills in what a stretch of commits changes.
func (r *Repo) readChanges(ctx context.Context, commits []Commit) error {
	out, err := r.diffTree(ctx, commits, "--raw")
	if err != nil {
		return err
	}
	place := make(map[string]int, len(commits))
	for i, c := range commits {
		place[c.ID] = i
	}
	for id, records := range perCommit(out) {
		c := &commits[place[id]]
		c.Changes, c.read = rawChanges(records), true
	}
	return nil
}

// diffTree compares commits with their parents in one git process.
func (r *Repo) diffTree(ctx context.Context, commits []Commit, format string) (string, error) {
	var ids strings.Builder
	for _, c := range commits {
		if len(c.Parents) > 0 && !c.Damaged {
			ids.WriteString(c.ID)
			if c.whole {
				ids.WriteString(" " + c.Parents[0]) // git compares a merge with nothing unless it is told to
			}
			ids.WriteByte('\n')
		}
	}
	cmd := readCommand(ctx, r.Top, "diff-tree", "--stdin", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", format)
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := output(cmd)
	return string(out), err
}

// perCommit cuts the output of `git diff-tree --stdin -z` into commits and their
// records. A record that starts with a colon is followed by a path; one with a
// tab is a count and its path; every other one is the id of a commit.
func perCommit(out string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		id, records := "", []string(nil)
		for len(out) > 0 {
			record, rest, _ := strings.Cut(out, "\x00")
			switch {
			case strings.HasPrefix(record, ":"):
				path, after, _ := strings.Cut(rest, "\x00")
				records, rest = append(records, record, path), after
			case strings.Contains(record, "\t"):
				records = append(records, record)
			default:
				if id != "" && !yield(id, records) {
					return
				}
				id, records = record, nil
			}
			out = rest
		}
		if id != "" {
			yield(id, records)
		}
	}
}

// rawChanges reads pairs of ":mode mode id id status" and a path.
func rawChanges(records []string) []Change {
	const module = "160000"
	changes := make([]Change, 0, len(records)/2)
	for i := 0; i+1 < len(records); i += 2 {
		before, rest, _ := strings.Cut(records[i], " ")
		after, rest, _ := strings.Cut(rest, " ")
		old, rest, _ := strings.Cut(rest, " ")
		fresh, _, _ := strings.Cut(rest, " ")
		changes = append(changes, Change{records[i+1], contentOf(old), contentOf(fresh), [2]bool{before == ":"+module, after == module}})
	}
	return changes
}
