package task

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"checkrein/internal/repo"
)

// find is a commit that can become a task.
type find struct {
	commit repo.Commit
	cand   Candidate
}

// finder looks for candidates in windows of the history, each wider than the one
// before.
type finder struct {
	repo *repo.Repo
	Options
	doc    *Document
	known  *known
	steps  []string        // windows that were not looked at
	taken  map[string]bool // commits that were handed out
	left   []repo.Commit   // candidates that were not
	listed []repo.Commit   // all of the last window, merges included
	cargo  bool            // tests inside of source files are told from others
}

// wider are the windows after a year: the repositories with fewer than five
// candidates in a year that we know of have some dozens in five.
func wider() []string { return []string{"730d", "1825d", All} }

func newFinder(r *repo.Repo, o Options, doc *Document) *finder {
	f := &finder{repo: r, Options: o, doc: doc, taken: map[string]bool{}, cargo: o.cargoTests(r.Top)}
	if o.Widen {
		f.steps = wider()
	}
	return f
}

// enough are the first candidates to look at, from the first window that has as
// many as are wanted.
func (f *finder) enough(ctx context.Context) ([]find, error) {
	if err := f.window(ctx, f.Since, nil); err != nil {
		return nil, err
	}
	for len(f.left) < f.Max {
		if ok, err := f.widen(ctx, Window{f.doc.Since, f.doc.Counts.Candidates, false}); err != nil || !ok {
			return f.take(ctx, f.wanted(), err)
		}
	}
	return f.take(ctx, f.wanted(), nil)
}

// wanted bounds the candidates that are handed out.
func (f *finder) wanted() int {
	if f.Check {
		return f.Max * checksPerTask
	}
	return f.Max
}

// more are candidates from wider windows, when too few were kept. It may find
// none.
func (f *finder) more(ctx context.Context, kept int) ([]find, error) {
	room := f.wanted() - len(f.taken)
	if kept >= f.Max || room <= 0 {
		return nil, nil
	}
	for len(f.left) == 0 {
		if ok, err := f.widen(ctx, Window{f.doc.Since, kept, true}); err != nil || !ok {
			return nil, err
		}
	}
	return f.take(ctx, room, nil)
}

// widen looks at the next window; false when there is none.
func (f *finder) widen(ctx context.Context, gave Window) (bool, error) {
	if len(f.steps) == 0 || repo.Ends(f.listed) {
		return false, nil
	}
	since := f.steps[0]
	f.steps = f.steps[1:]
	return true, f.window(ctx, since, &gave)
}

// window reads a window, and says so in the document, unless it holds no more
// than the one before.
func (f *finder) window(ctx context.Context, since string, gave *Window) error {
	found, counts, err := f.candidates(ctx, since)
	if err != nil || gave != nil && counts.Commits <= f.doc.Counts.Commits {
		return err
	}
	f.doc.Since, f.doc.Counts.Commits, f.doc.Counts.Candidates, f.doc.Counts.Skipped = since, counts.Commits, counts.Candidates, counts.Skipped
	f.left = slices.DeleteFunc(found, func(c repo.Commit) bool { return f.taken[c.ID] })
	if gave != nil {
		f.doc.Widened = append(f.doc.Widened, *gave)
		if f.Tell != nil {
			f.Tell(Progress{What: Widened, At: f.Now, Since: since, Gave: *gave, Wanted: f.Max})
		}
	}
	return nil
}

// take hands out up to n of the candidates that are left.
func (f *finder) take(ctx context.Context, n int, err error) ([]find, error) {
	if err != nil {
		return nil, err
	}
	commits := f.left[:min(n, len(f.left))]
	f.left = f.left[len(commits):]
	if err := f.repo.Changes(ctx, commits); err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	inside := make([]inline, len(commits))
	if f.cargo {
		if inside, err = inlines(ctx, f.repo, commits); err != nil {
			return nil, fmt.Errorf("reading the history: %w", err)
		}
	}
	found := make([]find, len(commits))
	for i, c := range commits {
		f.taken[c.ID] = true
		found[i].commit = c
		found[i].cand, _ = f.rules().CandidateOf(change(c, nil))
		found[i].cand.HiddenInline, found[i].cand.NewInline = inside[i].hidden, inside[i].fresh
	}
	return found, nil
}

// fits tells whether a commit of which that is known is a candidate.
func (f *finder) fits(why string) bool { return why == "" || why == InlineOnly && f.cargo }

// candidates reads a window and counts what is left out. What is known of a
// commit from an earlier time is not read again.
func (f *finder) candidates(ctx context.Context, since string) (found []repo.Commit, counts Counts, err error) {
	counts.Skipped = map[string]int{}
	date, err := Since(since)
	if err != nil {
		return nil, counts, err
	}
	commits, err := f.history(ctx, date)
	if err != nil {
		return nil, counts, fmt.Errorf("reading the history: %w", err)
	}
	for _, c := range commits {
		counts.Commits++
		if why := f.known.why[c.ID]; !f.fits(why) {
			counts.Skipped[why]++
			continue
		}
		found = append(found, c)
	}
	if found, err = f.inPath(ctx, found, counts.Skipped); err != nil {
		return nil, counts, fmt.Errorf("reading the history: %w", err)
	}
	counts.Candidates = len(found)
	return found, counts, f.known.save()
}

// history lists a window's commits, newest first, and decides about them.
func (f *finder) history(ctx context.Context, date string) ([]repo.Commit, error) {
	memory := sync.OnceValue(func() *known {
		if f.known != nil {
			return f.known
		}
		return openKnown(f.Known, f.repo.Algorithm(ctx), f.rules())
	})
	commits, err := f.repo.ReadHistory(ctx, date, repo.Ahead{
		Known: func(id string) bool { return memory().has(id) }, Files: MaxFiles, Lines: MaxLines, Merges: f.rules() == Wide,
	})
	if err != nil {
		return nil, err
	}
	f.known, f.listed = memory(), commits
	single := slices.DeleteFunc(slices.Clone(commits), func(c repo.Commit) bool { return len(c.Parents) > 1 })
	if err := judge(ctx, f.repo, single, f.known, f.rules()); err != nil || len(single) == len(commits) {
		return single, err
	}
	return f.withMerges(ctx, commits)
}

// withMerges keeps those merges that are candidates as a whole, where none of the
// commits that came with them is one by itself. A candidate that came with a merge
// that was handed out, when a wider window shows it, is left out.
func (f *finder) withMerges(ctx context.Context, commits []repo.Commit) ([]repo.Commit, error) {
	merges, covered := map[string]repo.Commit{}, map[string]bool{}
	var open []repo.Commit
	for _, m := range repo.Mainline(commits) {
		if f.taken[m.ID] || !slices.ContainsFunc(m.Merged, func(id string) bool { why, ok := f.known.why[id]; return ok && f.fits(why) }) {
			open = append(open, m)
		}
		for _, id := range m.Merged {
			covered[id] = covered[id] || f.taken[m.ID]
		}
	}
	err := judge(ctx, f.repo, open, f.known, f.rules())
	for _, m := range open {
		if f.fits(f.known.why[m.ID]) {
			merges[m.ID] = m
		}
	}
	kept := make([]repo.Commit, 0, len(commits))
	for _, c := range commits {
		if m, ok := merges[c.ID]; ok {
			kept = append(kept, m)
		} else if len(c.Parents) < 2 && !(covered[c.ID] && f.fits(f.known.why[c.ID])) {
			kept = append(kept, c)
		}
	}
	return kept, err
}

// inPath keeps the candidates whose changes in the path would make them one. The
// rest of their changes stays part of the fix.
func (f *finder) inPath(ctx context.Context, found []repo.Commit, skipped map[string]int) ([]repo.Commit, error) {
	if f.Path == "" {
		return found, nil
	}
	if err := f.repo.Changes(ctx, found); err != nil {
		return nil, err
	}
	inside := make([]inline, len(found))
	if err := f.repo.EachEdit(ctx, found, func(p string) bool { return f.cargo && rustSource(p) && f.in(p) },
		func(i int, files []repo.Edited) { inside[i] = inlineOf(files) }); err != nil {
		return nil, err
	}
	kept := found[:0]
	for i, c := range found {
		part := change(c, nil)
		part.Paths = slices.DeleteFunc(part.Paths, func(p string) bool { return !f.in(p) })
		if _, why := f.rules().CandidateOf(part); why == "" || why == NoTests && inside[i].tells(part.Paths) {
			kept = append(kept, c)
		} else {
			skipped[Elsewhere]++
		}
	}
	return kept, nil
}

func (f *finder) in(path string) bool {
	return strings.HasPrefix(path, f.Path+"/")
}
