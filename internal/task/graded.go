package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"checkrein/internal/fair"
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
	s := &sorting{room: room, cand: cand, asked: asked, plan: c.planFor(room.ws.Dir)}
	reason, err = s.sort(ctx)
	if errors.Is(err, repo.ErrNoObject) {
		return result{reason: CouldNotCopy, runs: s.runs}
	}
	return result{reason: reason, runs: s.runs, grade: &Grade{grade.Version, s.plan, s.split}, fair: s.fair, lent: s.cand.Lent, err: err}
}

// sorting sorts the tests of a candidate, in one copy that goes through three
// states: the parent (BASE), the parent with the hidden tests (RED), the whole
// commit (GOLD). The hidden files alone come first, because they reject most
// candidates in seconds.
type sorting struct {
	*room
	cand    Candidate
	plan    grade.Plan // of all tests
	few     grade.Plan // of the hidden files' tests, or of all
	whole   bool       // few is of all
	sides   grade.Sides
	again   []grade.Results // more runs of few with the change
	unfixed grade.Results   // of few, once more without it
	split   grade.Split
	runs    Runs
	asked   string      // the commit's message
	missing []string    // names that the run before the change complains of
	fair    *fair.Score // what speaks for and against the task
}

func (s *sorting) sort(ctx context.Context) (reason string, err error) {
	for _, step := range []func(context.Context) (string, error){s.touched, s.gives, s.all, s.reruns, s.redAgain, s.base, s.decide} {
		if reason, err = step(ctx); err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}

// touched runs the hidden files' tests without and with the change. Where
// selecting files finds no test, all tests are run instead.
func (s *sorting) touched(ctx context.Context) (reason string, err error) {
	if reason, err = s.addTests(ctx, s.cand); err != nil || reason != "" {
		return reason, err
	}
	if err := s.addLent(ctx); err != nil {
		return "", err
	}
	few, selected := s.plan.Select(s.present(), s.has)
	s.few, s.whole = few, !selected
	for {
		if reason, err = s.redAndGold(ctx); err != nil || !selected || reason != NoResults {
			return reason, err
		}
		if reason, err = s.dropFix(ctx, s.cand); err != nil || reason != "" {
			return reason, err
		}
		s.few, s.whole, selected = s.plan, true, false
	}
}

func (s *sorting) redAndGold(ctx context.Context) (reason string, err error) {
	s.missing = nil
	red, err := s.heardGraded(ctx, s.few, doingBefore, "", func(text string) { s.missing = append(s.missing, fair.Missing(text)...) })
	if err != nil {
		return "", err
	}
	s.runs.Before, s.sides.Red = red.end, red.Results
	if reason, err = s.addFix(ctx, s.cand); err != nil || reason != "" {
		return reason, err
	}
	gold, err := s.graded(ctx, s.few, doingAfter, "")
	if err != nil {
		return "", err
	}
	s.runs.After, s.sides.Touched, s.sides.Gold = gold.end, gold.Results, gold.Results
	if reason = unusable(gold); reason == TimeOut {
		reason = TimeOutAfter
	}
	if reason != "" {
		return reason, nil
	}
	if len(grade.Sides{Red: s.sides.Red, Gold: gold.Results, Touched: gold.Results}.Split().FailToPass) == 0 {
		return NoTelling, nil
	}
	return "", nil
}

// gives finds out whether an agent is given the names that the tests need.
func (s *sorting) gives(ctx context.Context) (reason string, err error) {
	slices.Sort(s.missing)
	if s.fair, err = s.score(ctx, s.cand, s.asked, slices.Compact(s.missing)); err != nil {
		return "", err
	}
	s.fair.NoResults = s.sides.Red.None() || slices.ContainsFunc(s.sides.Red.Broken, func(name string) bool {
		return !slices.Contains(s.sides.Touched.Broken, name)
	})
	if len(s.fair.Names) > 0 && !s.Hints {
		return NothingGives, nil
	}
	return "", nil
}

// all runs every test with the change.
func (s *sorting) all(ctx context.Context) (reason string, err error) {
	if s.whole {
		return "", nil
	}
	gold, err := s.graded(ctx, s.plan, doingAll, "")
	if err != nil {
		return "", err
	}
	s.runs.After, s.sides.Gold = gold.end, gold.Results
	if reason = unusable(gold); reason == TimeOut {
		reason = TimeOutAfter
	}
	return reason, nil
}

// wholeReruns bounds the reruns where each is one of all tests.
const wholeReruns = 2

// reruns runs the tests again with the change.
func (s *sorting) reruns(ctx context.Context) (reason string, err error) {
	n := s.Reruns
	if s.whole {
		n = min(n, wholeReruns)
	}
	for range n {
		run, err := s.graded(ctx, s.few, doingAfterAgain, "")
		if err != nil {
			return "", err
		}
		s.again = append(s.again, run.Results)
		s.runs.AfterAgain = run.end
	}
	return "", nil
}

// redAgain runs the tests once more without the change. It leaves the copy at
// the parent with the hidden tests.
func (s *sorting) redAgain(ctx context.Context) (reason string, err error) {
	if reason, err = s.dropFix(ctx, s.cand); err != nil || reason != "" || s.Reruns == 0 {
		return reason, err
	}
	run, err := s.graded(ctx, s.few, doingBeforeAgain, "")
	if err != nil {
		return "", err
	}
	s.runs.BeforeAgain = run.end
	s.unfixed = run.Results
	return "", nil
}

// base runs every test of the parent as it was, and afterwards the tests alone
// whose absence from the run before the change needs explaining.
func (s *sorting) base(ctx context.Context) (reason string, err error) {
	hidden := slices.Concat(s.cand.HiddenTests, s.cand.HiddenInline)
	changed := texts(s.ws.Dir, hidden)
	if reason, err = s.dropTests(ctx, s.cand); err != nil || reason != "" {
		return reason, err
	}
	old := texts(s.ws.Dir, hidden)
	base, err := s.graded(ctx, s.plan, doingBase, "")
	if err != nil {
		return "", err
	}
	if base.TimedOut {
		return TimeOut, nil
	}
	s.sides.Base = base.Results
	return s.alone(ctx, func(name string) bool {
		for i := range changed {
			if body := grade.Body(changed[i], name); body != "" && body != grade.Body(old[i], name) {
				return true
			}
		}
		return false
	})
}

// maxAlone bounds the tests that are run alone.
const maxAlone = 40

// alone finds out which tests that a build or a panic hid do not pass by
// themselves before the change either.
func (s *sorting) alone(ctx context.Context, changed func(name string) bool) (reason string, err error) {
	fails := map[string]bool{}
	s.sides.Alone = func(name string) bool { return fails[name] }
	var hidden []string
	for _, name := range s.sides.Touched.Names(grade.Passed) {
		_, red := s.sides.Red.Tests[name]
		if _, base := s.sides.Base.Tests[name]; !red && base && changed(name) {
			hidden = append(hidden, name)
		}
	}
	if len(hidden) == 0 {
		return "", nil
	}
	if reason, err = s.addTests(ctx, s.cand); err != nil || reason != "" {
		return reason, err
	}
	for _, name := range hidden[:min(len(hidden), maxAlone)] {
		if fails[name], err = s.failsAlone(ctx, name); err != nil {
			return "", err
		}
	}
	return "", nil
}

func (s *sorting) failsAlone(ctx context.Context, name string) (bool, error) {
	plan, ok := s.few.Alone(name)
	if !ok {
		return true, nil // its file did not load, so neither does it alone
	}
	run, err := s.graded(ctx, plan, doingAlone, "")
	return run.Tests[name].Status != grade.Passed, err
}

// decide sorts the tests, and says why the candidate is not kept.
func (s *sorting) decide(context.Context) (reason string, err error) {
	s.split = s.sides.Split()
	for _, run := range s.again {
		s.split.Drop(run, s.whole)
	}
	s.split.DropFixed(s.unfixed)
	s.split.FailToPass = slices.DeleteFunc(s.split.FailToPass, s.cand.inNewFile)
	switch {
	case len(s.split.FailToPass) > 0:
		return "", nil
	case len(s.split.Flaky) > 0:
		return Flaky, nil
	}
	return NoTelling, nil
}

// present are the hidden files that the copy has now: the change may delete some.
func (s *sorting) present() []string {
	return slices.DeleteFunc(slices.Clone(s.cand.HiddenTests), func(name string) bool { return !s.has(name) })
}

func (s *sorting) has(name string) bool {
	_, err := os.Stat(filepath.Join(s.ws.Dir, filepath.FromSlash(name)))
	return err == nil
}
