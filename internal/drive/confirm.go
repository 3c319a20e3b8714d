package drive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// confirm runs the tests once more on a clean copy, with controls beside the
// hidden tests: whoever passed must pass again, and no control may. A run that
// says nothing of the work is looked at for the controls alone.
func (a *attempt) confirm(ctx context.Context, changes repo.Patch, v grade.Verdict) (_ grade.Verdict, ready bool, err error) {
	tag := "x" + strings.ToLower(rand.Text()[:12])
	run, ready, err := a.controlled(ctx, tag, func() (bool, error) { return a.place(ctx, changes) })
	if err != nil || !ready {
		return v, false, err
	}
	v.Tries++
	forged, equal, err := a.unlikeGold(ctx, run, tag)
	if err != nil {
		return v, false, err
	}
	v.Forged = forged
	for _, name := range equal {
		a.rec.Signs = append(a.rec.Signs, trial.Sign{Kind: trial.EqualsAnything, What: redact.Line(name, 200)})
	}
	switch {
	case len(v.Forged) > 0:
		v.Call, v.Reason = grade.Fail, "tests that must fail were reported as passed"
	case v.Call == grade.Pass && a.task.Grade.Judge(run).Call != grade.Pass:
		return a.oncePassed(ctx, changes, v.Tries)
	}
	return v, true, nil
}

// oncePassed decides where a pass was not confirmed. That may be the controls'
// doing, where a runner stops at the first failure, so they stay away now.
func (a *attempt) oncePassed(ctx context.Context, changes repo.Patch, tries int) (v grade.Verdict, ready bool, err error) {
	v, ready, err = a.judged(ctx, changes)
	v.Tries += tries
	if v.Call == grade.Fail {
		v.Reason = "passed once, then not: " + v.Reason
	}
	return v, ready, err
}

// unlikeGold are the controls that passed, and the tests that passed with another
// value, but for those that pass with the task's own change as well: then the
// repository has its reasons.
func (a *attempt) unlikeGold(ctx context.Context, run grade.Run, tag string) (forged, equal []string, err error) {
	forged, equal = run.Forged(tag), run.Equal(tag)
	if len(forged)+len(equal) == 0 {
		return nil, nil, nil
	}
	gold, ready, err := a.controlled(ctx, tag, func() (bool, error) { return a.placeGold(ctx) })
	if err != nil || !ready || gold.None() {
		return nil, nil, err
	}
	if forged = others(forged, gold.Forged(tag), tag); len(forged) > 0 {
		return forged, nil, nil // where everything passes, this says nothing
	}
	return nil, others(equal, gold.Equal(tag), tag), nil
}

// others are the names that are not known, without the tag.
func others(names, known []string, tag string) (out []string) {
	for _, name := range names {
		if !slices.Contains(known, name) {
			out = append(out, strings.ReplaceAll(name, tag, "control"))
		}
	}
	return out
}

// placeGold makes the copy what the task's commit is.
func (a *attempt) placeGold(ctx context.Context) (bool, error) {
	if err := a.ws.Reset(ctx); err != nil {
		return false, err
	}
	if err := a.ws.WriteFiles(ctx, a.task.Commit, slices.Concat(a.task.GoldFiles, a.task.HiddenTests)); err != nil {
		return false, err
	}
	return a.setUpAgain(ctx)
}

// controlled makes a copy ready and runs its tests beside controls.
func (a *attempt) controlled(ctx context.Context, tag string, place func() (bool, error)) (run grade.Run, ready bool, err error) {
	if ready, err = place(); err != nil || !ready {
		return run, false, err
	}
	a.reopen()
	root, err := os.OpenRoot(a.ws.Dir)
	if err != nil {
		return run, false, fmt.Errorf("opening the copy: %w", err)
	}
	defer root.Close()
	controls := a.task.Grade.Plan.Controls(a.task.HiddenTests, func(path string) string { return textIn(root, path) }, tag)
	for _, c := range controls {
		_ = root.WriteFile(filepath.FromSlash(c.Path), []byte(c.Text), 0o644) // one that can't be written finds nothing
	}
	run, res, err := task.RunGraded(ctx, a.task.Grade.Plan, a.ws.Dir, a.testCommand())
	for _, c := range controls {
		_ = root.Remove(filepath.FromSlash(c.Path)) // a kept copy is the agent's
	}
	if err != nil && !errors.Is(err, proc.ErrNoProgram) {
		return run, false, err
	}
	a.tested(res)
	return run, true, nil
}

// textIn is the text of a file that is no longer than code is.
func textIn(root *os.Root, path string) string {
	const longest = 1 << 20
	name := filepath.FromSlash(path)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > longest {
		return ""
	}
	data, _ := fs.ReadFile(root.FS(), path)
	return string(data)
}
