package drive

import (
	"context"
	"slices"
	"strings"

	"checkrein/internal/decider"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
)

// maxPutBack is how many files a record names.
const maxPutBack = 100

// putBack undoes, in one trial's changes, what decides how tests run. The real
// fix's own files are the agent's to change.
type putBack struct {
	ctx     context.Context
	ws      *repo.Workspace
	task    task.Task
	rules   task.Rules
	testCmd string
	lines   string   // what is run for it, as far as that is known
	list    []string // what was undone, for the record
}

// newPutBack is that of a trial.
func (a *attempt) newPutBack(ctx context.Context) *putBack {
	p := &putBack{ctx: ctx, ws: a.ws, task: a.task, rules: a.d.Tasks.Rules, testCmd: a.d.Tasks.TestCmd}
	manifest, _ := p.ws.At(ctx, p.task.Parent, "package.json") // what can't be read names no scripts
	p.lines = p.testCmd + "\n" + decider.TestScripts(manifest)
	if p.task.Grade != nil {
		p.lines += "\n" + p.task.Grade.Plan.Line
	}
	return p
}

// apply writes the changes into a copy that is at its baseline: not those to
// tests, and of what decides only what the fix changed as well.
func (p *putBack) apply(changes repo.Patch) error {
	return p.ws.ApplyEdited(p.ctx, changes.Only(p.takes), p.edit)
}

// takes tells whether the changes to a path are scored. A link in the place of a
// folder with tests or deciders is taken, and then the changes don't apply.
func (p *putBack) takes(path string) bool {
	switch {
	case p.fixed(path):
		return !p.test(path)
	case p.whole(path):
		p.add(path)
		return false
	}
	return !p.test(path)
}

// whole tells whether all of a file decides.
func (p *putBack) whole(path string) bool {
	return decider.Whole(path, p.ws.Had) || !p.test(path) && decider.Called(p.lines, path)
}

func (p *putBack) test(path string) bool { return p.rules.ClassOf(path) == task.Test }

// again undoes what setup, which runs the agent's code, has done to deciders since
// they were put back. Lock files are its own work.
func (p *putBack) again() error {
	return p.ws.Hold(p.ctx, func(path string, before, after []byte) []byte {
		switch {
		case decider.Lock(path):
			return after
		case !p.fixed(path) && p.whole(path):
			p.add(path)
			return before
		}
		return p.edit(path, before, after)
	})
}

// fixed tells whether the real fix changes a file.
func (p *putBack) fixed(path string) bool {
	return slices.Contains(p.task.GoldFiles, path) || slices.Contains(p.task.HiddenTests, path)
}

// edit undoes sections.
func (p *putBack) edit(path string, before, after []byte) []byte {
	if !decider.Partly(path) {
		return after
	}
	v := decider.Versions{Before: before, After: after, TestCmd: p.testCmd}
	if p.fixed(path) && !p.history(path, &v) {
		return after
	}
	text, sections, whole := decider.Undo(path, v)
	switch {
	case whole:
		p.add(path)
	case len(sections) > 0:
		p.add(path + ": " + strings.Join(sections, ", "))
	}
	return text
}

// history adds what the real fix did to a file. A file that it adds or removes,
// and one that the agent removed, is the agent's.
func (p *putBack) history(path string, v *decider.Versions) bool {
	var errParent, errGold error
	v.Parent, errParent = p.ws.At(p.ctx, p.task.Parent, path)
	v.Gold, errGold = p.ws.At(p.ctx, p.task.Commit, path)
	return errParent == nil && errGold == nil && v.Parent != nil && v.Gold != nil && v.After != nil
}

func (p *putBack) add(what string) {
	if what = redact.Line(what, 200); !slices.Contains(p.list, what) && len(p.list) < maxPutBack {
		p.list = append(p.list, what)
	}
	slices.Sort(p.list)
}
