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

// scoreByTests lets the tests of the task decide, each by its own result. Every
// run has a copy that is clean again.
func (a *attempt) scoreByTests(ctx context.Context, changes repo.Patch) error {
	for try := 1; ; try++ {
		ready, err := a.place(ctx, changes)
		if err != nil || !ready {
			return err
		}
		a.reopen() // the setup may have run what the agent wrote
		run, res, err := task.RunGraded(ctx, a.task.Grade.Plan, a.ws.Dir, a.testCommand())
		if err != nil && !errors.Is(err, proc.ErrNoProgram) {
			return err
		}
		a.tested(res)
		verdict := a.task.Grade.Judge(run)
		verdict.Tries = try
		if !verdict.Again() || try == gradeTries {
			a.graded(verdict)
			return nil
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
