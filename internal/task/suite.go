package task

import (
	"context"
	"errors"

	"checkrein/internal/repo"
)

// head runs the tests of HEAD as they are.
func (c *checker) head(ctx context.Context, commit string) (Runs, error) {
	room, reason, err := c.enter(ctx, commit, "", c.log("head-setup.log"))
	if err != nil {
		return Runs{}, err
	}
	if reason != "" {
		return Runs{}, &HeadError{Reason: reason, Log: room.setupLog}
	}
	defer room.leave()
	room.tell(doingTests)
	run, err := room.tests(ctx, c.log("head-check.log"))
	if err != nil {
		return Runs{}, err
	}
	if !run.OK() {
		return Runs{}, &HeadError{Reason: TestsFail, Runs: Runs{After: run}, Log: c.log("head-check.log")}
	}
	return Runs{After: run}, nil
}

// candidate checks one: the tests must fail on the parent with the hidden tests,
// pass with the whole commit, and do both once more.
func (c *checker) candidate(ctx context.Context, cand Candidate, asked string) (res result) {
	room, reason, err := c.enter(ctx, cand.Parent, cand.Commit, "")
	if err != nil || reason != "" {
		return result{reason: reason, err: err}
	}
	defer room.leave()
	var missing []string
	if missing, res.reason, res.err = room.rounds(ctx, cand, &res.runs); res.err == nil && res.reason == "" {
		res.fair, res.err = c.score(ctx, cand, asked, missing)
	}
	if errors.Is(res.err, repo.ErrNoObject) {
		res.reason, res.err = CouldNotCopy, nil
	}
	return res
}

// rounds runs the tests up to four times. Missing is what the first run
// complained of.
func (r *room) rounds(ctx context.Context, cand Candidate, runs *Runs) (missing []string, reason string, err error) {
	missing, err = r.heard(func(log string) error {
		reason, err = r.stepTo(ctx, cand, r.addTests, doingBefore, &runs.Before, log)
		return err
	})
	if err == nil && reason == "" {
		reason, err = r.laterRounds(ctx, cand, runs)
	}
	return missing, reason, err
}

func (r *room) laterRounds(ctx context.Context, cand Candidate, runs *Runs) (reason string, err error) {
	if runs.Before.OK() {
		return PassBefore, nil
	}
	if reason, err = r.step(ctx, cand, r.addFix, doingAfter, &runs.After); err != nil || reason != "" {
		return reason, err
	}
	switch {
	case runs.After.TimedOut:
		return TimeOutAfter, nil
	case !runs.After.OK():
		return FailAfter, nil
	}
	// Once more each way: tests whose result changes between runs can't score an agent.
	if reason, err = r.step(ctx, cand, r.dropFix, doingBeforeAgain, &runs.BeforeAgain); err != nil || reason != "" {
		return reason, err
	}
	if reason, err = r.step(ctx, cand, r.addFix, doingAfterAgain, &runs.AfterAgain); err != nil || reason != "" {
		return reason, err
	}
	if runs.BeforeAgain.OK() || !runs.AfterAgain.OK() {
		return Flaky, nil
	}
	return "", nil
}
