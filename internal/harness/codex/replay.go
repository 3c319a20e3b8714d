package codex

import "checkrein/internal/harness"

// Replay is how Codex's sessions are played. Its ids begin with their time, so only
// whole ones tell sessions apart.
func Replay() harness.Replay {
	return harness.Replay{Archive: Archive(), Adapter: Adapter(), PaidFirst: true, PerAgent: true, Hooked: hooked}
}

// hooked: no hook is asked about the calls that wait for a command it has started.
func hooked(e harness.Event) bool { return e.Tool != "write_stdin" && e.Tool != "wait" }
