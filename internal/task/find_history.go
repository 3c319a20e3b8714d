package task

import (
	"context"
	"slices"
	"strings"
	"sync"

	"checkrein/internal/repo"
)

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
