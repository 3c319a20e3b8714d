package task

import (
	"context"
	"slices"

	"checkrein/internal/fair"
	"checkrein/internal/grade"
)

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
		if reason, err = s.redAndGold(ctx); err != nil || !s.otherwise(reason) {
			return reason, err
		}
		if reason, err = s.dropFix(ctx, s.cand); err != nil || reason != "" {
			return reason, err
		}
	}
}

// otherwise plans another look at the hidden files' tests, if there is one to take.
func (s *sorting) otherwise(reason string) bool {
	switch {
	case reason == NoResults && !s.whole:
		s.few, s.whole = s.plan, true
		return true
	case reason == "", reason == NoTelling, reason == NotLoaded:
		return s.leaveOut(s.sides.Touched.Killers)
	}
	return false
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
	s.broken = s.broken || len(gold.Broken) > 0 && !s.whole
	if reason = unusable(gold); reason == TimeOut {
		reason = TimeOutAfter
	}
	if reason == NoResults && s.broken && s.few.Runner == "go test" {
		reason = NotLoaded // a package that does not build by itself does not build among all
	}
	if reason != "" {
		return reason, nil
	}
	if len(grade.Sides{Red: s.sides.Red, Gold: gold.Results, Touched: gold.Results}.Split().FailToPass) == 0 {
		return s.noneTells(), nil
	}
	return "", nil
}

// noneTells says why no test tells.
func (s *sorting) noneTells() string {
	if s.broken {
		return NotLoaded
	}
	return NoTelling
}

// maxKillers bounds the tests that are left out, and with them the looks at a
// candidate whose packages die at one test after the other.
const maxKillers = 8

// leaveOut takes tests out of the plans that took their package with them with the
// change, too: no other test of the package is reported behind them, and no control
// would be. They become known failures.
func (s *sorting) leaveOut(killers []string) bool {
	all := slices.Concat(s.killers, killers)
	plan, ok := s.planned.Without(all)
	if !ok || len(killers) == 0 || len(all) > maxKillers {
		return false
	}
	s.killers, s.plan, s.few = all, plan, plan
	if !s.whole {
		s.few, ok = plan.Select(s.present(), s.has)
	}
	return ok
}
