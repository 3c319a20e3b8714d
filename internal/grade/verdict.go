package grade

import (
	"fmt"
	"slices"
)

// Run is one run of a task's tests.
type Run struct {
	Results
	Exit     *int // nil when it was ended early
	TimedOut bool
}

// killed is the exit of a process that the kernel ended, for want of memory say.
const killed = -9

// Call is what one run says.
type Call string

// What a run says.
const (
	Pass    Call = "passed"
	Fail    Call = "failed"
	Invalid Call = "invalid" // it says nothing of the work: to be run again, once
)

// Verdict is what a run of the tests says of an agent's work.
type Verdict struct {
	Call    Call     `json:"verdict"`
	Reason  string   `json:"reason,omitzero"`
	Failed  []string `json:"failed,omitempty"`  // tests of the task that were reported as bad or skipped
	Missing []string `json:"missing,omitempty"` // tests of the task that were not reported
	Forged  []string `json:"forged,omitempty"`  // controls that were reported as passed
	Fixed   int      `json:"fixed"`             // fail-to-pass tests that pass
	Of      int      `json:"of"`                // fail-to-pass tests
	Kept    int      `json:"kept"`              // pass-to-pass tests that pass
	OfKept  int      `json:"of_kept"`
	Tries   int      `json:"tries,omitzero"` // runs that it took
	More    int      `json:"more,omitzero"`  // names of tests that are not listed
}

const silence = "the tests reported no results"

// Silent: no test at all was reported. An agent's work can cause that, and so can the
// computer.
func (v Verdict) Silent() bool { return v.Call == Fail && v.Reason == silence }

// Judge decides by the tests of a split. All of them must be reported as passed:
// one that is skipped or missing did not. What other tests say counts for
// nothing, but the report must be one of this run: a runner that ends with an
// error has a failure to show for it.
func (s Split) Judge(r Run) Verdict {
	v := Verdict{Of: len(s.FailToPass), OfKept: len(s.PassToPass), Call: Fail}
	v.Fixed = v.count(s.FailToPass, r)
	v.Kept = v.count(s.PassToPass, r)
	slices.Sort(v.Failed)
	slices.Sort(v.Missing)
	all := len(v.Failed)+len(v.Missing) == 0
	switch {
	case r.TimedOut:
		v.Reason = "the tests timed out"
	case r.Exit == nil:
		v.Reason = "the tests were ended early"
	case *r.Exit == killed && len(v.Failed) == 0:
		v.Call, v.Reason = Invalid, "the tests were killed"
	case r.None():
		v.Reason = silence
	case !all:
		v.Reason = v.counts()
	case *r.Exit != 0 && !r.Fails():
		v.Call, v.Reason = Invalid, fmt.Sprintf("the tests ended with exit code %d and reported no failure", *r.Exit)
	case v.Of == 0:
		v.Reason = "the task has no test that tells"
	default:
		v.Call = Pass
	}
	return v
}

// count sorts the tests of one list, and counts those that pass.
func (v *Verdict) count(names []string, r Run) (passed int) {
	for _, name := range names {
		switch t, there := r.Tests[name]; {
		case !there:
			v.Missing = append(v.Missing, name)
		case t.Status == Passed:
			passed++
		default:
			v.Failed = append(v.Failed, name)
		}
	}
	return passed
}

func (v Verdict) counts() string {
	return fmt.Sprintf("%d of %d tests of the fix pass, and %d of %d others that passed before", v.Fixed, v.Of, v.Kept, v.OfKept)
}

// Describes tells whether a report can be one of its run: exit code and failures
// agree as far as they must. Failures with exit code 0 are those of nested
// suites that a test runs on purpose.
func (r Run) Describes() bool {
	return r.Exit == nil || *r.Exit == 0 || r.Fails()
}

// Again tells whether another run may say something else: this one says nothing
// of the work, or only tests outside the fix did not pass, as flaky ones don't.
func (v Verdict) Again() bool {
	return v.Call == Invalid || v.Of > 0 && v.Fixed == v.Of && v.Kept < v.OfKept
}

// Shown is the verdict with at most so many names of each kind, made safe.
func (v Verdict) Shown(most int, safe func(string) string) Verdict {
	for _, list := range []*[]string{&v.Failed, &v.Missing, &v.Forged} {
		n := min(len(*list), most)
		v.More += len(*list) - n
		names := make([]string, n)
		for i, name := range (*list)[:n] {
			names[i] = safe(name)
		}
		*list = names
	}
	return v
}
