package repo

import "slices"

// Mainline finds the merges on the way from HEAD along first parents in a history
// that starts at HEAD, and makes each one change: that of a whole pull request.
// What came with it are the commits that no earlier commit of that way has, as far
// as they are listed.
func Mainline(commits []Commit) []Commit {
	w := descent{commits: commits, at: make(map[string]int, len(commits)), seen: map[string]bool{}}
	for i, c := range commits {
		w.at[c.ID] = i
	}
	merges := slices.DeleteFunc(w.way(), func(c Commit) bool { return len(c.Parents) < 2 })
	var out []Commit
	for _, c := range slices.Backward(merges) { // what an older merge brought is no newer one's
		w.reach(c.Parents[:1])
		out = append(out, Commit{ID: c.ID, Parents: c.Parents[:1], Merged: w.reach(c.Parents[1:]), tree: c.tree, whole: true})
	}
	slices.Reverse(out)
	return out
}

// descent goes through a history once.
type descent struct {
	commits []Commit
	at      map[string]int
	seen    map[string]bool
}

// way is the first commit, its first parent, and so on.
func (w *descent) way() (way []Commit) {
	for at, ok := 0, len(w.commits) > 0; ok; {
		c := w.commits[at]
		way = append(way, c)
		if len(c.Parents) == 0 {
			break
		}
		at, ok = w.at[c.Parents[0]]
	}
	return way
}

// reach marks all that can be reached from some commits and was not, and returns
// what of it is no merge, in the order of the list.
func (w *descent) reach(from []string) (found []string) {
	open := slices.Clone(from)
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		at, listed := w.at[id]
		if !listed || w.seen[id] {
			continue
		}
		w.seen[id] = true
		if len(w.commits[at].Parents) < 2 {
			found = append(found, id)
		}
		open = append(open, w.commits[at].Parents...)
	}
	slices.SortFunc(found, func(a, b string) int { return w.at[a] - w.at[b] })
	return found
}

// Ends tells whether a list of commits, merges included, is all of a history: no
// wider window has more.
func Ends(commits []Commit) bool {
	listed := make(map[string]bool, len(commits))
	for _, c := range commits {
		listed[c.ID] = true
	}
	for _, c := range commits {
		if slices.ContainsFunc(c.Parents, func(id string) bool { return !listed[id] }) {
			return false
		}
	}
	return len(commits) > 0
}
