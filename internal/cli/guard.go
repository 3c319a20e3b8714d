package cli

import (
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/caller"
	"checkrein/internal/caller/tree"
	"checkrein/internal/guard"
	"checkrein/internal/harness/registry"
	"checkrein/internal/hook"
)

func newGuardCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Stop a live agent session that runs away",
		Long: `The guard runs as a hook of Claude Code or Codex before every tool call. It stops
the agent at a cap in dollars (a session's, or a day's, week's, month's or
project's over all sessions), when it goes in circles, when calls keep failing, or
when it starts ever more subagents. The first loop is told to the agent, the next
one ends its turn. Otherwise it is silent. It makes no network call and keeps only
counts and hashes.

What it has stopped goes on when you say so: "checkrein guard allow", in a terminal
of your own or typed as a prompt. An agent can't say it.`,
		Example: `  checkrein guard install              # show what would be added to the settings
  checkrein guard install --write      # add it
  checkrein guard status               # spend and stops of the latest session
  checkrein guard why                  # the evidence of its stops
  checkrein guard allow                # let the session that was stopped go on
  checkrein guard replay               # what the rules would have stopped so far
  checkrein guard doctor               # prove that the hook runs
  checkrein guard uninstall --write    # take it out again`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHookCommand(env), newInstallCommand(env), newUninstallCommand(env), newStatusCommand(env), newAllowCommand(env), newResetCommand(env), newBudgetCommand(env), newDoctorCommand(env), newDemoCommand(env))
	cmd.AddCommand(newReplayCommand(env), newWhyCommand(env))
	return cmd
}

// newHookCommand is there for its help page; Main runs the hook itself.
func newHookCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "hook [--harness claude-code|codex]",
		Short: "Answer one hook call (the agent runs this, not you)",
		Long: `Reads one hook call as JSON from standard input and prints an answer as JSON, or
nothing to let the call go its normal way. It decides before a tool call, when a
prompt is sent and when a batch of calls is over; at other events it counts. It
always exits 0: a status of 2 would block the tool call, so nothing that goes wrong
here may cause it. Words it does not know are ignored. RUNAWAY_GUARD_OFF=1 makes it
do nothing.

"checkrein guard install" writes the settings entry that runs it.`,
		Example:            `  checkrein guard hook --harness claude-code < call.json`,
		DisableFlagParsing: true,
		RunE:               func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}

func runHook(args []string, env Env) {
	signal.Ignore(syscall.SIGPIPE) // a harness that went away must not end it by a signal: that is no status 0
	var files []string
	if own, err := os.Executable(); err == nil {
		files = append(files, own)
	}
	known := registry.Traits()
	hook.Run(args, env.Stdin, env.Stdout, hook.Env{
		Getenv: env.Getenv, Now: env.Now, Sleep: time.Sleep, Program: program(env), Files: files,
		Harnesses: known,
		Agents:    func() int { return caller.Count(known, tree.Process, os.Getpid()) },
	})
}

// program is how the user starts this program again: by name when it was found
// by name, else by its path.
func program(env Env) string {
	if !strings.ContainsAny(env.Arg0, `/\`) {
		return "checkrein"
	}
	return guard.Quote(env.Arg0)
}
