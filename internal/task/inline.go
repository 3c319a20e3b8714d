package task

import (
	"context"
	"path"
	"slices"
	"strings"

	"checkrein/internal/grade"
	"checkrein/internal/repo"
)

// InlineOnly is why a commit is no candidate where the tests inside of source files
// can't be told from others.
const InlineOnly = "tests inside of source files only"

// rustSource are files that may have tests inside.
func rustSource(file string) bool {
	return strings.HasSuffix(file, ".rs") && Wide.ClassOf(file) == Source
}

// inline is what a commit does to tests inside of source files.
type inline struct {
	hidden []string // files that were there before, whose tests it changes
	fresh  []string // new files with tests
	code   bool     // it changes more of a file than its tests
}

func inlineOf(files []repo.Edited) (in inline) {
	for _, f := range files {
		old, tests := testsIn(f.Before), testsIn(f.After)
		switch {
		case f.Before == "" && tests != "":
			in.fresh = append(in.fresh, f.Path)
		case f.After != "" && old != tests:
			in.hidden = append(in.hidden, f.Path)
		}
		in.code = in.code || strings.Join(strings.Fields(withoutTests(f.Before)), " ") != strings.Join(strings.Fields(withoutTests(f.After)), " ")
	}
	return in
}

// tells is true when such a commit is a task by its tests inside alone. A new file
// with tests is none: nobody else would give it the same name.
func (in inline) tells(paths []string) bool {
	other := slices.ContainsFunc(paths, func(p string) bool { return !rustSource(p) && Wide.ClassOf(p) == Source })
	return len(in.hidden) > 0 && (in.code || other)
}

// inlines looks into the Rust files of commits.
func inlines(ctx context.Context, r *repo.Repo, commits []repo.Commit) ([]inline, error) {
	found := make([]inline, len(commits))
	err := r.EachEdit(ctx, commits, rustSource, func(i int, files []repo.Edited) { found[i] = inlineOf(files) })
	return found, err
}

// lookInside finds commits without test files that change tests inside of source files.
func (r Rules) lookInside(ctx context.Context, from *repo.Repo, commits []repo.Commit, why []string) error {
	var open []repo.Commit
	var places []int
	for i, c := range commits {
		if r == Wide && why[i] == NoTests && slices.ContainsFunc(c.Changes, func(ch repo.Change) bool { return rustSource(ch.Path) }) {
			open, places = append(open, c), append(places, i)
		}
	}
	found, err := inlines(ctx, from, open)
	for i, in := range found {
		if in.tells(change(open[i], nil).Paths) {
			why[places[i]] = InlineOnly
		}
	}
	return err
}

// cargoTests tells whether the test command may run tests inside of source files:
// it is cargo, or nobody knows what it is.
func (o Options) cargoTests(top string) bool {
	plan := o.planFor(top)
	return o.rules() == Wide && (strings.Contains(o.TestCmd, "cargo") || strings.Contains(plan.Runner, "cargo") || plan.Format == grade.Auto)
}

// testPrefix is how the names of tests inside of a file begin in cargo's reports:
// src/a/b.rs is the module a::b, src/lib.rs the crate itself.
func testPrefix(file string) string {
	_, in, ok := strings.Cut("/"+file, "/src/")
	if !ok {
		in = path.Base(file)
	}
	in = strings.TrimSuffix(strings.TrimSuffix(in, ".rs"), "/mod")
	if in == "lib" || in == "main" {
		return ""
	}
	return strings.ReplaceAll(in, "/", "::") + "::"
}

// inNewFile tells whether a test is inside of a source file that the change adds.
func (c Candidate) inNewFile(name string) bool {
	return slices.ContainsFunc(c.NewInline, func(file string) bool {
		prefix := testPrefix(file)
		return prefix != "" && strings.Contains("::"+name, "::"+prefix)
	})
}

// PlaceTests writes a task's tests into a copy: its test files, and what is inside of
// source files. Of other source files that were edited, the tests inside are those of
// the parent again.
func PlaceTests(ctx context.Context, ws *repo.Workspace, c Candidate, rules Rules, edited []string) error {
	if err := ws.WriteFiles(ctx, c.Commit, slices.Concat(c.HiddenTests, c.Lent)); err != nil {
		return err
	}
	if rules != Wide {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(edited), func(p string) bool { return !rustSource(p) || slices.Contains(c.HiddenInline, p) })
	if err := ws.Edit(ctx, c.Parent, others, withTests); err != nil {
		return err
	}
	return ws.Edit(ctx, c.Commit, c.HiddenInline, withTests)
}

// addTests makes RED of BASE.
func (r *room) addTests(ctx context.Context, c Candidate) (reason string, err error) {
	if reason, err = r.move(ctx, c.Commit, slices.Concat(c.HiddenTests, c.Lent)); err != nil || reason != "" {
		return reason, err
	}
	return "", r.ws.Edit(ctx, c.Commit, c.HiddenInline, withTests)
}

// addFix makes GOLD of RED.
func (r *room) addFix(ctx context.Context, c Candidate) (reason string, err error) {
	return r.move(ctx, c.Commit, c.GoldFiles)
}

// dropFix makes RED of GOLD.
func (r *room) dropFix(ctx context.Context, c Candidate) (reason string, err error) {
	if reason, err = r.move(ctx, c.Parent, c.GoldFiles); err != nil || reason != "" {
		return reason, err
	}
	if err := r.ws.WriteFiles(ctx, c.Commit, c.Lent); err != nil {
		return "", err
	}
	return "", r.ws.Edit(ctx, c.Commit, c.HiddenInline, withTests)
}

// dropTests makes BASE of RED.
func (r *room) dropTests(ctx context.Context, c Candidate) (reason string, err error) {
	if err := r.ws.WriteFiles(ctx, c.Parent, c.HiddenInline); err != nil {
		return "", err
	}
	return r.move(ctx, c.Parent, slices.Concat(c.HiddenTests, c.Lent))
}
