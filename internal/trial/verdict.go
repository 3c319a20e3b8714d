package trial

import (
	"fmt"

	"checkrein/internal/harness"
)

// End is how the agent's part of a run ended.
type End struct {
	Outcome  harness.Outcome
	TimedOut bool
	Exit     int     // of the agent; meaningless when it timed out or was ended
	Ended    bool    // we ended it, because its reservation was used up
	Touched  int     // files it changed
	Reserved float64 // what it might spend
	High     float64 // the high estimate of one run
}

// CouldNotRun reports that there is nothing to score, and why: the agent ended
// with an error and changed nothing, or it says itself that no model was asked.
// A time-out is always scored.
func (e End) CouldNotRun() (bool, string) {
	switch {
	case e.TimedOut || e.Touched > 0:
		return false, ""
	case e.Ended:
		return true, "ended at its spend limit, and changed nothing"
	case e.Exit != 0:
		if e.Outcome.Error != "" {
			return true, e.Outcome.Error
		}
		return true, fmt.Sprintf("exited with code %d and changed nothing", e.Exit)
	case !e.Outcome.Worked && e.Outcome.Error != "" && (e.Outcome.Cost == nil || *e.Outcome.Cost == 0):
		return true, e.Outcome.Error
	}
	return false, ""
}

// CutShort is what ended the run before the agent was done: harness.ByHook,
// harness.ByBudget, or "".
func (e End) CutShort() string {
	if e.Ended {
		return harness.ByBudget
	}
	return e.Outcome.CutShort
}

// Status is what a scored run counts as, with a reason where that is not what
// the tests said. A run that something outside cut short can pass, but its
// failure proves nothing: one stopped by a hook is not scored, and one stopped
// because the cap left it less than a run may need is run again once there is
// more. A run that used up a whole high estimate failed.
func (e End) Status(passed bool) (status, reason string) {
	switch {
	case passed:
		return Passed, ""
	case e.CutShort() == harness.ByHook:
		return Error, "a hook ended the run"
	case e.starved():
		return Interrupted, "stopped at the spend cap before it was done"
	}
	return Failed, ""
}

// Unscored is the status of a run that could not run.
func (e End) Unscored() string {
	if e.starved() {
		return Interrupted
	}
	return Error
}

// starved reports that the run was ended by a limit below what one run may
// need, so more money could change its end.
func (e End) starved() bool {
	return e.CutShort() == harness.ByBudget && e.Reserved < e.High-dust
}
