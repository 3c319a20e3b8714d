// Package cli is the command line: one file per verb, from flags to a call into
// the package that does the work, and from its result to words, JSON and an exit
// code. Nothing imports it but the program itself.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/caller"
)

// Env is what the program takes from its process, so that tests can give it
// their own.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Environ        func() []string
	Now            func() time.Time
	Arg0           string // the word the program was started with

	Processes func() caller.Processes // the processes of this computer; nil for those that are there
}

// Exit codes. The hook always exits 0.
const (
	exitDone    = 0   // done
	exitNo      = 1   // a check said no, or it failed
	exitBad     = 2   // bad input: flags, files, a repository that can't be read
	exitStopped = 130 // stopped by a signal
)

// Error is a failure with its exit code and, on lines of their own, what to type
// next. Its text is shown as it is: what comes from outside must be made safe
// before it gets here.
type Error struct {
	Code  int
	Err   error
	Hints []string
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// bad is an error of the input.
func bad(format string, args ...any) error {
	return &Error{Code: exitBad, Err: fmt.Errorf(format, args...)}
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, args []string, env Env) int {
	if len(args) >= 2 && args[0] == "guard" && args[1] == "hook" && !asksHelp(args[2:]) {
		runHook(args[2:], env) // before any command framework: it runs before every tool call
		return exitDone
	}
	if code, ok := supervise(args); ok {
		return code
	}
	root := newRootCommand(env)
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && strings.HasPrefix(err.Error(), "unknown command") {
		err = badWords(cmd, err)
	}
	return report(err, env.Stderr)
}

// badWords is what cobra refuses, with where the right words stand.
func badWords(cmd *cobra.Command, err error) error {
	return &Error{Code: exitBad, Err: err, Hints: []string{cmd.CommandPath() + " --help"}}
}

func asksHelp(args []string) bool { return len(args) == 1 && (args[0] == "--help" || args[0] == "-h") }

// report prints an error and picks the exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return exitDone
	}
	code, hints := exitBad, []string(nil) // what cobra refuses (an unknown flag or command) is bad input
	if known := new(Error); errors.As(err, &known) {
		code, hints = known.Code, known.Hints
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "checkrein: %s\n", strings.TrimRight(text, "\n"))
	}
	for _, hint := range hints {
		fmt.Fprintf(stderr, "  try: %s\n", hint)
	}
	return code
}

func newRootCommand(env Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "checkrein",
		Short: "Stop coding agents that run away, and test-drive them on your own repository",
		Long: `checkrein holds coding agents in check.

  checkrein guard   stops a live agent session that passes its spend cap, goes
                    in circles or keeps failing. It runs as a hook of the agent.
  checkrein drive   runs agents on tasks from your own git history, under a spend
                    cap, and lets your own tests decide.
  checkrein prices  lists and explains the prices that everything is counted by.
  checkrein usage   adds up what the sessions of your agents used and cost.`,
		Example: `  checkrein guard demo                 # watch each wire fire, no account needed
  checkrein guard install --write      # guard Claude Code from now on
  checkrein guard status               # what the latest session has spent
  checkrein drive demo                 # a scoreboard from scripted agents
  checkrein usage --since 30d          # what a month of sessions cost`,
		SilenceUsage: true, SilenceErrors: true,
		Version: version(),
	}
	root.SetVersionTemplate("checkrein {{.Version}}\n")
	root.SetFlagErrorFunc(badWords)
	root.AddCommand(newGuardCommand(env), newDriveCommand(env), newUsageCommand(env), newPricesCommand(env), newSkillsCommand(env))
	addCompletion(root)
	return root
}
