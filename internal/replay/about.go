package replay

import (
	"fmt"
	"math"
	"slices"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// about are the calls that a stop is about, up to it.
func (p *past) about(t guard.Trip, until time.Time) (found []moment) {
	var newest moment
	for _, m := range p.calls {
		if m.at.After(until) || t.Agent != "" && t.Agent != m.lane.agent {
			continue
		}
		if newest = m; concerns(t, m.event) {
			found = append(found, m)
		}
	}
	if n := len(found); t.Wire == guard.WireFailures && n > 0 && found[n-1] == newest {
		found = found[:n-1] // the call that was held up, whatever came of it later
	}
	return found[max(0, len(found)-inARow(t)):]
}

// inARow is how many calls a stop is about at most; its words begin with that.
func inARow(t guard.Trip) (n int) {
	switch t.Wire {
	case guard.WireFailures, guard.WireInvalid:
		if _, err := fmt.Sscan(t.Detail, &n); err != nil || n < 1 {
			return maxEvidence
		}
		return n
	case guard.WireProtect:
		return 1
	}
	return math.MaxInt
}

func concerns(t guard.Trip, e harness.Event) bool {
	switch t.Wire {
	case guard.WireLoop:
		return e.Detail != nil && slices.Contains(t.Calls, guard.Fingerprint(e.Tool, e.Detail.Input))
	case guard.WireFailures:
		return e.Result == harness.Failed
	case guard.WireInvalid:
		return e.Invalid || t.Setting() == "failure_streak" && e.Result == harness.Failed
	case guard.WireFanout, guard.WireProtect:
		return redact.Line(e.Tool, 80) == t.Tool
	}
	return false
}
