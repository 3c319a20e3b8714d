package task

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"checkrein/internal/fair"
	"checkrein/internal/grade"
)

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
	s.shorter = secondLimit(s.runs.Before, s.runs.After)
	defer func() { s.shorter = 0 }()
	run, err := s.graded(ctx, s.few, doingBeforeAgain, "")
	if err != nil {
		return "", err
	}
	s.runs.BeforeAgain = run.end
	s.unfixed = run.Results
	return "", nil
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
