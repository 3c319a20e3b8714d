package drive

import (
	"context"
	"errors"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// gradeTries bounds the runs of tests that say nothing of an agent's work.
const gradeTries = 2

// maxNames is how many tests that did not pass a record lists, of each kind.
const maxNames = 50

// scoreByTests lets the tests of the task decide, each by its own result. A pass
// is not believed at once.
func (a *attempt) scoreByTests(ctx context.Context, changes repo.Patch) error {
	v, ready, err := a.judged(ctx, changes)
	if err == nil && ready && v.Silent() {
		v, err = a.silent(ctx, v)
	} else if err == nil && ready && (v.Call == grade.Pass || v.Call == grade.Invalid && a.task.Grade.Plan.Controllable()) {
		v, ready, err = a.confirm(ctx, changes, v)
	}
	if err != nil || !ready {
		return err
	}
	a.graded(v)
	return nil
}

// judged runs the tests until they say something of the work, at most twice.
// Every run has a copy that is clean again. When the changes allow none, the trial
// is decided.
func (a *attempt) judged(ctx context.Context, changes repo.Patch) (v grade.Verdict, ready bool, err error) {
	for try := 1; ; try++ {
		if ready, err = a.place(ctx, changes); err != nil || !ready {
			return v, false, err
		}
		a.reopen() // the setup may have run what the agent wrote
		run, res, err := task.RunGraded(ctx, a.task.Grade.Plan, a.ws.Dir, a.testCommand())
		if err != nil && !errors.Is(err, proc.ErrNoProgram) {
			return v, false, err
		}
		a.tested(res)
		v = a.task.Grade.Judge(run)
		v.Tries = try
		if !v.Again() || try == gradeTries {
			return v, true, nil
		}
	}
}

// graded puts the verdict of the tests into the record. What is invalid again is
// shown as such.
func (a *attempt) graded(v grade.Verdict) {
	shown := v.Shown(maxNames, func(name string) string { return redact.Line(name, 200) })
	a.rec.Grade = &shown
	if v.Call == grade.Invalid {
		a.rec.Status, a.rec.Error = trial.Invalid, v.Reason
		return
	}
	a.decide(v.Call == grade.Pass, v.Reason)
}

// checkGrading refuses tasks that this program can't grade as it is asked to.
func (d *drive) checkGrading() error {
	for _, t := range d.tasks {
		switch {
		case t.Grade != nil && t.Grade.Version > grade.Version:
			return badInput("The tasks file is of a newer checkrein. Run checkrein drive mine --validate again, or update checkrein.")
		case t.Grade == nil && d.Grading == task.ByTests:
			return badInput("Task %s has no tests to grade by. Run checkrein drive mine --validate --grading tests first.", redact.Code(t.ID, 40))
		case t.Grade != nil && d.Grading == task.BySuite:
			return badInput("Task %s is graded by tests, and its whole suite need not pass. Run checkrein drive mine --validate --grading suite first.",
				redact.Code(t.ID, 40))
		}
	}
	return nil
}
