package task

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"checkrein/internal/proc"
)

// Setup and tests of a check go through the launcher.
func TestChecksGoThroughTheLauncher(t *testing.T) {
	h := newHistory(t)
	h.fix("one")
	var setups, tests atomic.Int32
	doc, err := h.mine(func(o *Options) {
		o.SetupCmd = `[ -n "$WALL" ]`
		o.TestCmd = `[ -n "$WALL" ] || exit 1; ` + suite
		o.Launch = func(s proc.Start) (proc.Start, error) {
			switch {
			case s.Kind == proc.Tests && len(s.Needs) > 0:
				tests.Add(1)
			case s.Kind == proc.Setup:
				setups.Add(1)
			default:
				t.Errorf("kind %d", s.Kind)
			}
			s.Env = append(s.Env, "WALL=1")
			return s, nil
		}
	})
	if err != nil || len(doc.Tasks) != 1 || setups.Load() != 2 || tests.Load() != 5 { // HEAD's and the candidate's
		t.Errorf("%v, %+v, %d setups, %d tests", err, doc, setups.Load(), tests.Load())
	}
	_, err = h.mine(func(o *Options) {
		o.Launch = func(proc.Start) (proc.Start, error) { return proc.Start{}, errors.New("no wall here") }
	})
	if err == nil || !strings.Contains(err.Error(), "no wall here") {
		t.Errorf("got %v", err)
	}
}
