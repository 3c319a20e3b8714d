//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// patience is how long any program may take. A run takes a few seconds; a CLI
// that waits for an answer nobody gives must fail its case, not the suite.
const patience = 3 * time.Minute

// output is what a program left.
type output struct {
	t      *testing.T
	argv   []string
	code   int
	stdout string
	stderr string
}

// run starts a program in the project and waits for its end.
func (h *home) run(env []string, argv ...string) output {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), h.patience)
	defer cancel()
	c := exec.CommandContext(ctx, h.find(argv[0]), argv[1:]...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = h.project, h.environ(env), &stdout, &stderr
	// A group of its own, so that what the CLI started ends with it.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 2 * time.Second
	err := c.Run()
	out := output{h.t, argv, 0, stdout.String(), stderr.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		out.fatal("it was still running after %v", h.patience)
	case errors.As(err, &exit):
		out.code = exit.ExitCode()
	case err != nil:
		out.fatal("%v", err)
	}
	return out
}

// ok insists on exit code 0.
func (o output) ok() output {
	o.t.Helper()
	if o.code != 0 {
		o.fatal("exit code %d", o.code)
	}
	return o
}

// fatal ends the case with all that is known of the program.
func (o output) fatal(format string, args ...any) {
	o.t.Helper()
	o.t.Logf("%q\nstdout:\n%s\nstderr:\n%s", o.argv, o.stdout, o.stderr)
	o.t.Fatalf(format, args...)
}
