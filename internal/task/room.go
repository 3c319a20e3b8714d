package task

import (
	"context"
	"fmt"
	"math"
	"time"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
	"checkrein/internal/setup"
)

// room is one fresh copy in which a check runs.
type room struct {
	*checker
	ws       *repo.Workspace
	place    *setup.Copy
	checks   string // the candidate; "" for HEAD
	setupLog string
	shorter  int // seconds that tests may take, where that is less than ever; 0 for none
}

// enter makes a copy and sets it up. A reason says that it can't be used, and
// nothing is left to leave.
func (c *checker) enter(ctx context.Context, commit, checks, setupLog string) (r *room, reason string, err error) {
	r = &room{checker: c, checks: checks, setupLog: setupLog}
	if r.ws, err = c.repo.Copy(ctx, commit, c.Root); err != nil {
		if ctx.Err() != nil {
			return r, "", context.Cause(ctx)
		}
		return r, CouldNotCopy, nil
	}
	r.place = c.Setups.Copy(r.ws.Dir)
	ok, err := r.setUp(ctx, setupLog, setup.ForKey)
	if err != nil || !ok {
		r.leave()
		return r, SetupFailed, err
	}
	return r, "", nil
}

// tell says what comes now.
func (r *room) tell(doing string) {
	r.checker.tell(Progress{What: Working, Commit: r.checks, Doing: doing})
}

// leave deletes the copy. What can't be deleted now, Sweep finds later.
func (r *room) leave() { _ = r.ws.Remove() }

// setUp runs the setup command, if there is one and its result is not there yet.
func (r *room) setUp(ctx context.Context, log string, keep setup.Keep) (bool, error) {
	if r.SetupCmd == "" {
		return true, nil
	}
	r.tell(doingSetup)
	done, err := r.place.Run(ctx, r.command(proc.Command{Shell: r.SetupCmd, Dir: r.ws.Dir, Stdout: log, Kind: proc.Setup}), keep)
	if err != nil {
		return false, fmt.Errorf("running the setup command: %w", err)
	}
	if done.Reused {
		r.tell(doneSetup)
	}
	return done.OK, nil
}

// maxOutput is more than any log that is still of use.
const maxOutput = 1 << 30

func (r *room) command(c proc.Command) proc.Command {
	limit := r.TestTimeout
	if r.shorter > 0 {
		limit = min(limit, r.shorter)
	}
	c.Env, c.Timeout, c.MaxOutput = r.Env, time.Duration(limit)*time.Second, maxOutput
	c.Launch = r.Launch
	return c
}

// secondLimit is how long, in seconds, tests may take once more that hung without
// the change: many times what they take with it, not another full time limit. 0
// is no limit of its own.
func secondLimit(before, after *proc.Result) int {
	const least, times = 60, 10
	if before == nil || after == nil || !before.TimedOut {
		return 0
	}
	return least + times*int(math.Ceil(after.Seconds))
}

func (r *room) tests(ctx context.Context, log string) (*proc.Result, error) {
	res, err := RunTests(ctx, r.TestCmd, r.ws.Dir, r.command(proc.Command{Stdout: log}))
	if err != nil {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return &res, nil
}

// step makes another state of the copy and runs the tests.
func (r *room) step(ctx context.Context, cand Candidate, to transition, doing string, run **proc.Result) (reason string, err error) {
	return r.stepTo(ctx, cand, to, doing, run, "")
}

// transition makes another state of a copy.
type transition func(context.Context, Candidate) (string, error)

// stepTo is step with the tests' output in a file.
func (r *room) stepTo(ctx context.Context, cand Candidate, to transition, doing string, run **proc.Result, log string) (reason string, err error) {
	if reason, err := to(ctx, cand); err != nil || reason != "" {
		return reason, err
	}
	r.tell(doing)
	*run, err = r.tests(ctx, log)
	return "", err
}

// move puts paths into their state at commit, and sets the copy up again when
// that changes what it depends on.
func (r *room) move(ctx context.Context, commit string, paths []string) (reason string, err error) {
	if err := r.ws.WriteFiles(ctx, commit, paths); err != nil {
		return "", err
	}
	if TouchesManifest(paths) {
		if ok, err := r.setUp(ctx, "", setup.Nothing); err != nil || !ok {
			return SetupFailed, err
		}
	}
	return "", nil
}
