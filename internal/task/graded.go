package task

import (
	"context"
	"errors"
	"fmt"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
	"checkrein/internal/repo"
)

// checkHead runs HEAD's own tests, and decides how tasks are graded. By tests, a
// HEAD that fails some of them is as good as any.
func (c *checker) checkHead(ctx context.Context, d *Document) error {
	if c.Grading == ByTests || c.Grading == Auto {
		run, grading, err := c.gradedHead(ctx, d.Head)
		if err != nil {
			return err
		}
		d.Grading = grading
		if c.byTests = grading.By == ByTests; c.byTests {
			d.HeadCheck = run.end
			return nil
		}
	}
	runs, err := c.head(ctx, d.Head)
	d.HeadCheck = runs.After
	return err
}

func (d *Document) failing() int {
	if !d.Graded() {
		return 0
	}
	return d.Grading.Head.Failed + len(d.Grading.Head.Broken)
}

// gradedHead runs HEAD's tests by plan. Without results the grading is by suite,
// unless the user asked for tests.
func (c *checker) gradedHead(ctx context.Context, commit string) (run gradedRun, g *Grading, err error) {
	room, reason, err := c.enter(ctx, commit, "", c.log("head-setup.log"))
	if err != nil {
		return run, nil, err
	}
	if reason != "" {
		return run, nil, &HeadError{Reason: reason, Log: room.setupLog}
	}
	defer room.leave()
	plan := c.planFor(room.ws.Dir)
	if run, err = room.graded(ctx, plan, doingTests, c.log("head-check.log")); err != nil {
		return run, nil, err
	}
	g = &Grading{Version: grade.Version, By: ByTests, Runner: plan.Runner, Reruns: c.Reruns}
	if reason = unusable(run); reason == "" {
		g.Head = headTests(run.Results)
		return run, g, nil
	}
	if c.Grading == ByTests {
		return run, nil, &HeadError{Reason: reason, Runs: Runs{After: run.end}, Log: c.log("head-check.log")}
	}
	g.By, g.Reason, g.Reruns = BySuite, reason+" ("+plan.Runner+")", 0
	return run, g, nil
}

// unusable says why nothing can be graded by a run.
func unusable(run gradedRun) string {
	switch {
	case run.TimedOut:
		return TimeOut
	case run.None():
		return NoResults
	case !run.Describes():
		return Disagree
	}
	return ""
}

// graded runs a plan in the copy.
func (r *room) graded(ctx context.Context, plan grade.Plan, doing, log string) (gradedRun, error) {
	return r.heardGraded(ctx, plan, doing, log, nil)
}

func (r *room) heardGraded(ctx context.Context, plan grade.Plan, doing, log string, hear func(text string)) (gradedRun, error) {
	r.tell(doing)
	run, res, err := runGraded(ctx, plan, r.ws.Dir, r.command(proc.Command{Stdout: log}), hear)
	if err != nil {
		return gradedRun{}, fmt.Errorf("running the tests: %w", err)
	}
	return gradedRun{run, &res}, nil
}

// examine checks one candidate as the document is graded.
func (c *checker) examine(ctx context.Context, cand Candidate, asked string) result {
	if !c.byTests {
		return c.candidate(ctx, cand, asked)
	}
	room, reason, err := c.enter(ctx, cand.Parent, cand.Commit, "")
	if err != nil || reason != "" {
		return result{reason: reason, err: err}
	}
	defer room.leave()
	plan := c.planFor(room.ws.Dir)
	s := &sorting{room: room, cand: cand, asked: asked, planned: plan, plan: plan}
	reason, err = s.sort(ctx)
	if errors.Is(err, repo.ErrNoObject) {
		return result{reason: CouldNotCopy, runs: s.runs}
	}
	return result{reason: reason, runs: s.runs, grade: &Grade{grade.Version, s.plan, s.split}, fair: s.fair, lent: s.cand.Lent, err: err}
}
