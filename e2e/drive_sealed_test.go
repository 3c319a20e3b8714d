//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"checkrein/internal/untested"
)

// TestDriveSealed: behind a wall each real CLI logs in, reaches its model, runs the
// tests in its own sandbox and gets the same records as without one.
func TestDriveSealed(t *testing.T) {
	t.Parallel()
	h := newDriveHome(t, solveAndFail())
	if out := h.drive("doctor").stdout; !strings.Contains(string(out), "sealed: yes") {
		untested.Here(t, "no wall can be had here: "+string(out))
	}
	h.configureCodex(codexModel, "")
	h.mine()
	h.drive(allAgents("--max-usd", "50", "--seal", "on")...)
	h.sameRecords(h.failedAndPassed())
	h.asked()
}
