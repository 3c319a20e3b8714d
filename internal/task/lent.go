package task

import (
	"context"
	"path"
	"slices"
	"strings"
)

// lend finds the data files that a change adds outside of test folders and that
// its tests name: no agent can know of them, so they are given to its work with
// the tests. Where they are a part of the fix, RED has them as well, and the
// candidate shows itself to be none: its tests pass, or what is left to do tells.
func lend(c Candidate, tests []string, rules Rules, has func(name string) bool) []string {
	var lent []string
	for _, file := range c.GoldFiles {
		class := rules.ClassOf(file) // a sample's name may look like a page's
		if (class == Other || class == Doc) && !has(file) && !manifest(path.Base(file)) && named(tests, file) {
			lent = append(lent, file)
		}
	}
	return lent
}

// named tells whether a test names a file: by its own name, which must be longer
// than a word's end, or by its path.
func named(tests []string, file string) bool {
	const shortest = 5
	base := path.Base(file)
	return slices.ContainsFunc(tests, func(text string) bool {
		return strings.Contains(text, file) || len(base) >= shortest && strings.Contains(base, ".") && strings.Contains(text, base)
	})
}

// addLent puts the lent files into RED, in which the hidden tests are.
func (s *sorting) addLent(ctx context.Context) error {
	s.cand.Lent = lend(s.cand, texts(s.ws.Dir, s.cand.HiddenTests), s.rules(), s.has)
	return s.ws.WriteFiles(ctx, s.cand.Commit, s.cand.Lent)
}
