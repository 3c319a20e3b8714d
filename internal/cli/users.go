package cli

import (
	"fmt"
	"os"

	"checkrein/internal/caller"
	"checkrein/internal/caller/ps"
	"checkrein/internal/harness/registry"
)

// usersOnly refuses what would loosen the guard where an agent started this
// program. what completes "an agent must not …". It can't see an agent that cut
// the command off from itself (see package caller); the hook denies the calls
// that name these commands before they run.
func usersOnly(what string, env Env) error {
	find := env.Processes
	if find == nil {
		find = ps.Processes
	}
	agent, inside := caller.Agent(registry.Traits(), env.Getenv, find(), os.Getpid())
	if !inside {
		return nil
	}
	return &Error{
		Code: exitNo, Err: fmt.Errorf("this runs inside a session of %s (%s), and an agent must not %s", agent.Agent, agent.How, what),
		Hints: []string{"type it in a terminal that no agent has started", "or type checkrein guard allow, or reset, as a prompt of that session (without !)"},
	}
}
