package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkrein/internal/demo"
)

func newDemoCommand(env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a scripted runaway session through the real hook",
		Long: `Plays a made-up agent session through the real hook: a call in a loop, a run of
failures, the warning before the cap, the cap, and the way on after it. It takes
a few seconds, needs no account and no network, and leaves nothing behind. Since
it knows what should come of each call, it is also a check of this machine.

Exit status: 0 each wire fired as it should; 1 one did not; 130 stopped.`,
		Example: `  checkrein guard demo
  checkrein guard demo --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), showing{demo.Run, (*demo.Text).Begin}, asJSON, env)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each event as a line of JSON")
	return cmd
}

func newDriveDemoCommand(env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a test drive with scripted agents on a small repository",
		Long: `Plays the four commands of a test drive on a small repository made for it, with
scripted stand-ins in the agents' places. It takes less than a minute, needs no
account and no network, and leaves nothing behind. Since it knows which scoreboard
must come out, it is also a check of this machine.

Exit status: 0 done; 1 the scoreboard is not the one it should be; 130 stopped.`,
		Example: `  checkrein drive demo
  checkrein drive demo --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), showing{demo.RunDrive, (*demo.Text).BeginDrive}, asJSON, env)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each event as a line of JSON")
	return cmd
}

// showing is one of the demos: what plays it, and what is said first.
type showing struct {
	run   func(context.Context, demo.Options) error
	begin func(*demo.Text)
}

func runDemo(ctx context.Context, play showing, asJSON bool, env Env) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	// A closed pipe too: the folder is removed before the end.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	o := demo.Options{Program: program, Env: env.Environ(), Emit: demoLines(env.Stdout)}
	if !asJSON {
		o.Emit, o.Pause = demoText(ctx, play.begin, env)
	}
	err = play.run(ctx, o)
	switch {
	case ctx.Err() != nil:
		return &Error{Code: exitStopped, Err: errors.New("stopped")}
	case err != nil:
		return &Error{Code: exitNo, Err: err}
	}
	return nil
}

// demoLines prints events for programs.
func demoLines(out io.Writer) func(demo.Event) {
	return func(e demo.Event) {
		line, err := json.Marshal(e)
		if err == nil {
			_, _ = out.Write(append(line, '\n'))
		}
	}
}

// demoText prints events for people; on a terminal at a pace one can read.
func demoText(ctx context.Context, begin func(*demo.Text), env Env) (emit func(demo.Event), pause func()) {
	text := &demo.Text{Out: env.Stdout, Width: 100}
	if onTerminal(env.Stdout) {
		text.Colour = env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
		pause = func() {
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}
	begin(text)
	return text.Event, pause
}

func onTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
