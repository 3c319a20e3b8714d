package repo

import (
	"bytes"
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
}

// Change is one file that a commit changes.
type Change struct {
	Path          string
	before, after string // ids of the contents; all zeros for none
	module        bool   // on one side a submodule, whose id is no content of this repository
}

// History lists the commits of HEAD since a date (as git log takes it), newest
// first, merges left out. A commit that misses an object is marked, not an
// error: a damaged clone still has its other commits. The error of a partial
// clone is ErrNoObject.
func (r *Repo) History(ctx context.Context, since string) ([]Commit, error) {
	out, err := r.git(ctx, "log", "--no-merges", "--since="+since, "--format=%H %P", "HEAD")
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for line := range strings.Lines(string(out)) {
		if ids := strings.Fields(line); len(ids) > 0 {
			commits = append(commits, Commit{ID: ids[0], Parents: ids[1:]})
		}
	}
	return commits, r.stretches(ctx, commits, r.readChanges)
}

// stretches hands stretches of commits to do, on every core: most of the time
// goes into git processes, each of which uses one.
func (r *Repo) stretches(ctx context.Context, commits []Commit, do func(context.Context, []Commit) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := runtime.GOMAXPROCS(0)
	size := min(max(len(commits)/(4*workers), 32), 1024)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(int64(size))) - size
				if from >= len(commits) {
					return
				}
				if err := r.salvage(ctx, commits[from:min(from+size, len(commits))], do); err != nil {
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
	place := places(commits)
	for id, records := range perCommit(out, place) {
		commits[place[id]].Changes = rawChanges(records)
	}
	return nil
}

// diffTree compares commits with their parents in one git process.
func (r *Repo) diffTree(ctx context.Context, commits []Commit, format string) ([]byte, error) {
	var ids strings.Builder
	for _, c := range commits {
		if len(c.Parents) > 0 && !c.Damaged {
			ids.WriteString(c.ID + "\n")
		}
	}
	cmd := readCommand(ctx, r.Top, "diff-tree", "--stdin", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", format)
	cmd.Stdin = strings.NewReader(ids.String())
	return output(cmd)
}

func places(commits []Commit) map[string]int {
	place := make(map[string]int, len(commits))
	for i, c := range commits {
		place[c.ID] = i
	}
	return place
}

// perCommit cuts the output of `git diff-tree --stdin -z` into the records of
// each commit. A commit's id is a record of its own; a path could be one, too,
// but stands behind another record's colon or tab.
func perCommit(out []byte, place map[string]int) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		id := ""
		var records []string
		path := false
		for record := range bytes.SplitSeq(out, []byte{0}) {
			text := string(record)
			_, known := place[text]
			switch {
			case !path && known:
				if id != "" && !yield(id, records) {
					return
				}
				id, records = text, nil
			case text != "":
				records = append(records, text)
				path = !path && text[0] == ':'
			}
		}
		if id != "" {
			yield(id, records)
		}
	}
}

// rawChanges reads pairs of ":mode mode id id status" and a path.
func rawChanges(records []string) []Change {
	const module = "160000"
	var changes []Change
	for i := 0; i+1 < len(records); i += 2 {
		fields := strings.Fields(strings.TrimPrefix(records[i], ":"))
		if len(fields) == 5 {
			changes = append(changes, Change{records[i+1], fields[2], fields[3], fields[0] == module || fields[1] == module})
		}
	}
	return changes
}
