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
	planned grade.Plan // of all tests
	plan    grade.Plan // the same, less the killers
	few     grade.Plan // of the hidden files' tests, or of all
	whole   bool       // few is of all
	broken  bool       // a hidden file does not load with the change
	killers []string   // tests that took others with them, left out of plan and few
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
	s.split.Leave(s.killers)
	for _, run := range s.again {
		s.split.Drop(run, s.whole)
	}
	s.split.DropFixed(s.unfixed)
	s.split.FailToPass = slices.DeleteFunc(s.split.FailToPass, s.cand.inNewFile)
	switch {
	case len(s.split.FailToPass) > 0:
		return "", nil
	case len(s.split.Flaky) > 0 && !s.broken:
		return Flaky, nil
	}
	return s.noneTells(), nil
}

// present are the hidden files that the copy has now: the change may delete some.
func (s *sorting) present() []string {
	return slices.DeleteFunc(slices.Clone(s.cand.HiddenTests), func(name string) bool { return !s.has(name) })
}

func (s *sorting) has(name string) bool {
	_, err := os.Stat(filepath.Join(s.ws.Dir, filepath.FromSlash(name)))
	return err == nil
}
