// Package proc runs one command and ends everything it started.
//
// Run promises that when it returns, no process that the command started is
// left: not its children, not daemons that forked twice, not shells in sessions
// of their own. It keeps that promise when the calling program is killed, too,
// because the command runs below a supervisor, a second process of this binary
// that notices the death of its caller (supervise.go). The environment a
// command sees starts from an allow list (env.go).
//
// What it can't do: reach a process that another service starts on the
// command's behalf (cron, a container engine, a systemd user manager), or one
// that runs as another user. Outside Linux there is no subreaper, so a daemon
// that has left its group before the command ended is not found.
package proc

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Command is what to run. Argv or Shell is set, never both.
type Command struct {
	Argv  []string // a program and its arguments; the program is looked up in Env's PATH
	Shell string   // a line for /bin/sh -c

	Dir    string   // working folder, absolute; also set as PWD
	Env    []string // the whole environment, "NAME=value"
	Stdin  string   // path to read input from; "" means none
	Stdout string   // path to write output to, created or emptied with mode 0600; "" means nowhere
	Stderr string   // the same for errors; "" means where Stdout goes

	Timeout   time.Duration // 0 means no deadline
	MaxOutput int64         // bytes; a command that writes more to Stdout or Stderr is ended; 0 means no limit

	// ID marks every process of this run (variable CHECKREIN_RUN), so that Sweep
	// can find them after a crash. Run makes one up when it is empty.
	ID string
	// Launch, when set, changes what is started: the place for a sandbox. Kind,
	// Needs and Own are what it must know.
	Launch Launcher
	Kind   Kind     // whom the command is for
	Needs  []string // files and folders outside Dir that the caller prepared for the command
	Own    []Own    // what it may use of the user's home
}

// Own is a file or folder of the user's that a command may use though the rest
// of the home folder is hidden from it.
type Own struct {
	Path  string // absolute
	Write bool   // changes reach the user's file: a login that renews itself
}

// Result tells how a command ended.
type Result struct {
	Exit     *int    `json:"exit"`      // exit code, or minus the signal number; nil when it was ended early
	Seconds  float64 `json:"seconds"`   // wall time, rounded to hundredths
	TimedOut bool    `json:"timed_out"` // Timeout was reached
	Flooded  bool    `json:"-"`         // MaxOutput was passed
}

// OK is true when the command ended by itself with exit code 0.
func (r Result) OK() bool { return r.Exit != nil && *r.Exit == 0 }

// Start is what a supervisor starts: the last word on program, folder and
// environment.
type Start struct {
	Argv  []string // Argv[0] is an absolute path
	Dir   string
	Env   []string
	Kind  Kind     // only read
	Needs []string // only read
	Own   []Own    // only read

	Wall *Wall // set by a launcher: the supervisor itself is behind it

	// After, set by a launcher, is called when nothing of the command is left.
	After func()
}

// Wall puts the supervisor, and so all below it, into namespaces. The first
// process of a process namespace takes everything with it when it ends, so the
// supervisor is that process.
type Wall struct {
	Attr *syscall.SysProcAttr // how the supervisor is started
	Plan []byte               // what its Enter function is given

	// Builder, when set, is what is started instead of the supervisor: a program
	// that builds the wall and becomes the supervisor behind it, with all open files
	// from 3 on. Its last words start the supervisor. It speaks only of failures.
	Builder []string
}

// Launcher turns what would be started into what is started instead, for
// example the same command inside a sandbox program. It runs in the caller, so
// it can prepare files; whatever it names is started by the supervisor. All that
// the test drive starts for a repository goes through the one that drive.Options
// and task.Options carry; nil starts commands as they are. An error of it means
// that the command was not started.
type Launcher func(Start) (Start, error)

// SuperviseArg is the hidden argument that turns this binary into a supervisor.
// A program that calls Run must hand over to Supervise when its first argument
// is SuperviseArg (in tests: in TestMain).
const SuperviseArg = "internal-supervise"

// ErrNoProgram is in the error of Run when the program was not found.
var ErrNoProgram = errors.New("program not found")

// Run runs c to its end and ends everything it started. When ctx ends first,
// everything is ended early and the error is ctx's cause; the result still
// tells the time it took. A command that fails is no error: see Result.Exit.
func Run(ctx context.Context, c Command) (Result, error) {
	req, err := c.request()
	if err != nil {
		return Result{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return Result{}, err
	}
	s, err := startSupervisor(req)
	if err != nil {
		return Result{}, fmt.Errorf("starting the supervisor: %w", err)
	}
	if req.after != nil {
		defer req.after()
	}
	return s.wait(ctx)
}
