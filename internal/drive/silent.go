package drive

import (
	"context"
	"errors"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
	"checkrein/internal/task"
)

// silent runs the tests on the task's own change, where they reported nothing of an
// agent's. If they report nothing of that either, the fault is this computer's (a
// toolchain that is gone, say), and no agent has failed.
func (a *attempt) silent(ctx context.Context, v grade.Verdict) (grade.Verdict, error) {
	ready, err := a.placeGold(ctx)
	if err != nil || !ready {
		return v, err
	}
	a.reopen()
	command := a.testCommand()
	command.Stdout = "" // the log is of the agent's
	gold, _, err := task.RunGraded(ctx, a.task.Grade.Plan, a.ws.Dir, command)
	if err != nil && !errors.Is(err, proc.ErrNoProgram) {
		return v, err
	}
	if gold.None() {
		v.Call, v.Reason = grade.Invalid, "the tests report no results, not even of the task's own change; does the test command still work here?"
	}
	return v, nil
}
