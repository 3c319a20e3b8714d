package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
	"checkrein/internal/setup"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// capture saves what the agent changed. By now nothing that it started runs.
func (a *attempt) capture(ctx context.Context) (repo.Patch, error) {
	a.reopen()
	changes, err := a.ws.Diff(ctx)
	if err != nil {
		return changes, err
	}
	a.rec.Diff = a.log(".diff")
	if err := replace(a.rec.Diff, changes.Text, false); err != nil {
		return changes, fmt.Errorf("saving the changes: %w", err)
	}
	touched := len(changes.Files)
	a.end.Touched, a.rec.LinesChanged, a.rec.FilesTouched = touched, &changes.Lines, &touched
	a.emit(trial.Event{Kind: trial.Captured, Lines: changes.Lines, Files: touched})
	return changes, nil
}

// score lets the tests decide.
func (a *attempt) score(ctx context.Context, changes repo.Patch) error {
	if a.task.Grade != nil {
		return a.scoreByTests(ctx, changes)
	}
	ready, err := a.place(ctx, changes)
	if err != nil || !ready {
		return err
	}
	return a.test(ctx)
}

// place makes the copy what is scored: one that is clean again, with exactly the
// saved changes, less those to test files and to what decides how tests run, and
// the tests of the change itself. When the changes don't allow that, the trial is
// decided.
func (a *attempt) place(ctx context.Context, changes repo.Patch) (ready bool, err error) {
	if err := a.ws.Reset(ctx); err != nil {
		return false, err
	}
	back := a.newPutBack(ctx)
	err = back.apply(changes)
	a.rec.PutBack = back.list
	switch {
	case errors.Is(err, repo.ErrPatch):
		a.decide(false, "the changes no longer apply to a clean copy")
		return false, nil
	case err != nil:
		return false, err
	}
	if err := task.PlaceTests(ctx, a.ws, a.task.Candidate, a.d.Tasks.Rules, changes.Files); err != nil {
		return false, err
	}
	ok, err := a.setUpAgain(ctx)
	if err != nil {
		return false, err
	}
	if !ok {
		a.decide(false, "the setup command failed after the agent's changes")
		return false, nil
	}
	return true, a.hold(ctx, back, changes.Files)
}

// hold undoes what setup did to tests and deciders: it runs what the agent wrote.
func (a *attempt) hold(ctx context.Context, back *putBack, edited []string) error {
	if a.d.Tasks.SetupCmd == "" {
		return nil
	}
	a.reopen()
	if err := back.again(); err != nil {
		return err
	}
	a.rec.PutBack = back.list
	return task.PlaceTests(ctx, a.ws, a.task.Candidate, a.d.Tasks.Rules, edited)
}

func (a *attempt) test(ctx context.Context) error {
	a.reopen() // the setup may have run what the agent wrote
	res, err := task.RunTests(ctx, a.d.Tasks.TestCmd, a.ws.Dir, a.testCommand())
	if err != nil && !errors.Is(err, proc.ErrNoProgram) {
		return err
	}
	a.tested(res)
	a.decide(err == nil && res.OK(), "")
	return nil
}

func (a *attempt) testCommand() proc.Command {
	return proc.Command{
		Env: a.d.testEnv(), Timeout: a.testTimeout(), Stdout: a.log(".tests"), MaxOutput: maxOutput, ID: a.job.run, Launch: a.d.Launch,
	}
}

func (a *attempt) tested(res proc.Result) {
	a.rec.TestSeconds = &res.Seconds
	a.emit(trial.Event{Kind: trial.Scored, Seconds: res.Seconds, Exit: res.Exit, TimedOut: res.TimedOut, Reused: a.reused})
}

// decide puts the verdict into the record.
func (a *attempt) decide(passed bool, why string) {
	status, reason := a.end.Status(passed)
	a.rec.Status = status
	if text := first(reason, why); text != "" {
		a.rec.Error = text
	}
}

// setUpAgain sets up a copy that was made anew, with changes. Nothing of that is
// kept, because an agent was at it.
func (a *attempt) setUpAgain(ctx context.Context) (ok bool, err error) {
	a.copied.Emptied()
	done, err := a.setUp(ctx, setup.Nothing)
	a.reused = done.Reused
	return done.OK, err
}

// setUp runs the setup command, if there is one and its result is not there yet.
func (a *attempt) setUp(ctx context.Context, keep setup.Keep) (setup.Done, error) {
	if a.d.Tasks.SetupCmd == "" {
		return setup.Done{OK: true}, nil
	}
	return a.copied.Run(ctx, proc.Command{
		Shell: a.d.Tasks.SetupCmd, Dir: a.ws.Dir, Env: a.d.testEnv(), Timeout: a.testTimeout(), Stdout: os.DevNull,
		MaxOutput: maxOutput, ID: a.job.run, Launch: a.d.Launch, Kind: proc.Setup,
	}, keep)
}

// testTimeout bounds each setup and test run.
func (a *attempt) testTimeout() time.Duration {
	seconds := a.d.Tasks.TestTimeout
	if seconds <= 0 {
		seconds = 600
	}
	return time.Duration(seconds) * time.Second
}
