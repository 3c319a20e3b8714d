// Package grade reads what test runners report of each test, and decides by it.
//
// A report is one [Results]: tests by a name that is the same in every run. How
// a runner is asked for its report without a change to the repository is in
// plan.go, what makes a test tell a fix from no fix in split.go, and what a run
// of them says of an agent's work in verdict.go.
//
// The package is pure, and every text in it is untrusted: names come from test
// code and from whatever else a test command runs. No text makes a reader
// panic, nest without end or hold more than the bounds below. A report that is
// missing or holds no test is no results, which is never "no failures".
package grade

import (
	"maps"
	"slices"
)

// Status is how a test ended.
type Status string

// How a test ends.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	Errored Status = "errored" // it could not run: a fixture, an import, a hook
)

// Bad tells whether a runner counts the status as a failure.
func (s Status) Bad() bool { return s == Failed || s == Errored }

// worse orders the statuses of one name that is reported more than once.
func (s Status) worse(than Status) bool {
	order := []Status{Passed, Skipped, Failed, Errored}
	return slices.Index(order, s) > slices.Index(order, than)
}

// Test is one test of a report.
type Test struct {
	Status  Status
	File    string // as the runner has it; "" where it does not say
	Seconds float64
}

// Results are the tests of a run by name.
type Results struct {
	Tests map[string]Test
	// Broken names what could not be built or loaded, so that its tests are missing.
	Broken []string
	// Killers are tests that ended a process with others' tests in it, as a panic of
	// Go's does, so that those are missing.
	Killers []string
	// Cut: the report ended early, or passed a bound.
	Cut bool
	// Uncovered: the runner ended with an error for code that no test reaches.
	Uncovered bool
}

// Bounds of what is kept of a report.
const (
	maxTests  = 250_000
	maxBroken = 1_000
	maxDepth  = 200
	maxLine   = 4 << 20
	// MaxBytes is how much of a report is read.
	MaxBytes = 256 << 20
)

// None tells whether no test was reported.
func (r Results) None() bool { return len(r.Tests) == 0 }

// Names are the tests with one of the statuses, sorted.
func (r Results) Names(of ...Status) []string {
	names := []string{}
	for name, t := range r.Tests {
		if slices.Contains(of, t.Status) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Fails tells whether the report has anything that makes a runner exit with
// other than 0.
func (r Results) Fails() bool {
	for _, t := range r.Tests {
		if t.Status.Bad() {
			return true
		}
	}
	return len(r.Broken) > 0 || r.Uncovered
}

// Merge adds the tests of another report of the same run.
func (r *Results) Merge(other Results) {
	for _, name := range slices.Sorted(maps.Keys(other.Tests)) {
		r.add(name, other.Tests[name])
	}
	for _, name := range other.Broken {
		r.breaks(name)
	}
	for _, name := range other.Killers {
		r.kills(name)
	}
	r.Cut = r.Cut || other.Cut
	r.Uncovered = r.Uncovered || other.Uncovered
}

// Of is the results with the name of their runner before each test's.
func (r Results) Of(runner string) Results {
	named := Results{Cut: r.Cut, Uncovered: r.Uncovered}
	for name, t := range r.Tests {
		named.add(runner+"::"+name, t)
	}
	for _, name := range r.Broken {
		named.breaks(runner + "::" + name)
	}
	return named
}

// add keeps the worst of what is said of one name.
func (r *Results) add(name string, t Test) {
	old, twice := r.Tests[name]
	switch {
	case r.Tests == nil:
		r.Tests = map[string]Test{}
	case twice && !t.Status.worse(old.Status):
		return
	case !twice && len(r.Tests) >= maxTests:
		r.Cut = true
		return
	}
	r.Tests[name] = t
}

func (r *Results) breaks(name string) {
	if len(r.Broken) < maxBroken && !slices.Contains(r.Broken, name) {
		r.Broken = append(r.Broken, name)
	}
}

func (r *Results) kills(name string) {
	if len(r.Killers) < maxBroken && !slices.Contains(r.Killers, name) {
		r.Killers = append(r.Killers, name)
	}
}
