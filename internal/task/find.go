package task

import (
	"context"
	"fmt"
	"slices"

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
