package grade

import (
	"maps"
	"slices"
)

// Split is what the tests of a task are for. Names are sorted.
type Split struct {
	FailToPass []string `json:"fail_to_pass"`   // they tell the fix from no fix
	PassToPass []string `json:"pass_to_pass"`   // they must go on passing
	Known      []string `json:"known_failures"` // bad with the change, too: left out
	Flaky      []string `json:"flaky"`          // not the same in every run: left out
}

// Sides are the runs of a candidate.
type Sides struct {
	Base Results // the parent as it was
	Red  Results // the parent with the hidden tests
	Gold Results // the whole commit
	// Touched are the tests that Red ran: those of the hidden files, or all.
	Touched Results
	// Alone tells of a test that is in Base and missing in Red whether its body
	// changed in a hidden file and it does not pass when it is run alone in Red.
	Alone func(name string) bool
}

// Split sorts the tests of a candidate. A fail-to-pass test passes with the
// change and, without it, either fails, or is missing where nothing but the
// change can be the reason: it is new, or it is changed and does not pass alone.
// Being missing is not enough, because one panic or compile error takes all
// other tests of its package along.
func (s Sides) Split() Split {
	out := Split{FailToPass: []string{}, PassToPass: []string{}, Known: []string{}, Flaky: []string{}}
	for _, name := range slices.Sorted(maps.Keys(s.Gold.Tests)) {
		gold, base := s.Gold.Tests[name].Status, s.Base.Tests[name].Status
		touched, twice := s.Touched.Tests[name]
		switch {
		case twice && (touched.Status == Passed) != (gold == Passed):
			out.Flaky = append(out.Flaky, name)
		case gold.Bad():
			out.Known = append(out.Known, name)
		case gold == Passed && s.failsWithout(name):
			out.FailToPass = append(out.FailToPass, name)
		case gold == Passed && base == Passed:
			out.PassToPass = append(out.PassToPass, name)
		}
	}
	return out
}

func (s Sides) failsWithout(name string) bool {
	if s.Touched.Tests[name].Status != Passed {
		return false
	}
	if red, there := s.Red.Tests[name]; there {
		return red.Status.Bad()
	}
	if _, old := s.Base.Tests[name]; !old {
		return true
	}
	return s.Alone != nil && s.Alone(name)
}

// Drop moves tests to the flaky ones that another run with the change has
// otherwise than passed. That run must have every fail-to-pass test; of the
// others it says nothing when it lacks them, unless it was one of all tests.
func (s *Split) Drop(again Results, all bool) {
	drop := func(list []string, missing bool) []string {
		return slices.DeleteFunc(list, func(name string) bool {
			t, there := again.Tests[name]
			moved := there && t.Status != Passed || missing && !there
			if moved {
				s.Flaky = append(s.Flaky, name)
			}
			return moved
		})
	}
	s.FailToPass = drop(s.FailToPass, true)
	s.PassToPass = drop(s.PassToPass, all)
	slices.Sort(s.Flaky)
}

// DropFixed moves fail-to-pass tests to the flaky ones that passed in another
// run without the change.
func (s *Split) DropFixed(again Results) {
	s.FailToPass = slices.DeleteFunc(s.FailToPass, func(name string) bool {
		if again.Tests[name].Status == Passed {
			s.Flaky = append(s.Flaky, name)
			return true
		}
		return false
	})
	slices.Sort(s.Flaky)
}

// Leave adds tests that no run had, on purpose, to the known failures.
func (s *Split) Leave(names []string) {
	for _, name := range names {
		if !slices.Contains(s.Known, name) {
			s.Known = append(s.Known, name)
		}
	}
	slices.Sort(s.Known)
}
