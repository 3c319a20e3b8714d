package task

import (
	"context"
	"slices"

	"checkrein/internal/grade"
)

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
