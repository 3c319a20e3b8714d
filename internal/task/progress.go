package task

import "time"

// Progress is one step of checking.
type Progress struct {
	At      time.Time
	What    Step
	Commit  string // the candidate's; "" for HEAD
	Subject string // CheckStarted: as the commit has it
	Doing   string // Working: what comes now
	Reason  string // Rejected: why
	Number  int    // CheckStarted, Kept, Rejected: of the candidate, from 1
	Of      int    // with Number: candidates that are checked at most
	Kept    int    // Kept, Rejected: tasks so far
	Wanted  int    // with Kept: tasks to keep
	Failing int    // HeadPassed: failures at HEAD, where tests are graded by themselves
	Since   string // Widened: how far back it goes now
	Gave    Window // Widened: what came of the window before
}

// Step is what happened.
type Step uint8

// The steps of checking. Results are told newest commit first, so one that
// CheckEnded may have to wait for those before it.
const (
	HeadStarted Step = iota + 1
	HeadPassed
	CheckStarted
	Working
	CheckEnded
	Kept
	Rejected
	Widened
)

// What a check does, as [Progress] says it.
const (
	doingSetup       = "setting up"
	doneSetup        = "set up as before" // without running the command
	doingTests       = "running the tests"
	doingBefore      = "tests before the change"
	doingAfter       = "tests with the change"
	doingBeforeAgain = "tests before the change, again"
	doingAfterAgain  = "tests with the change, again"
	doingAll         = "all tests with the change"
	doingBase        = "all tests of the parent"
	doingAlone       = "changed tests alone, before the change"
)
