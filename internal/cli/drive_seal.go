//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/seal"
	"checkrein/internal/setup"
)

// sealFlags say whether commands run behind a wall.
type sealFlags struct {
	mode    string
	network bool
}

// What --seal takes.
const (
	sealAuto = "auto" // where it can be had
	sealOn   = "on"   // or not at all
	sealOff  = "off"
)

func (f *sealFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "seal", sealAuto, "run all commands behind a wall: `auto` (where it can be had), on or off; see checkrein drive doctor")
	completes(cmd, "seal", sealAuto, sealOn, sealOff)
	cmd.Flags().BoolVar(&f.network, "test-network", false, "tests behind a wall have network")
}

// buildCaches is where a drive keeps what compilers made: in the folder of the tasks.
const buildCaches = "cache"

// sealing is what came of the flags.
type sealing struct {
	launch  proc.Launcher // nil for none
	outside setup.Outside // nil for none
	sealed  *bool         // nil when no wall was asked for
	whyOpen string        // safe to show
}

// choose finds out whether there is a wall.
func (f sealFlags) choose(ctx context.Context, o seal.Options) (sealing, error) {
	switch f.mode {
	case sealOff:
		return sealing{sealed: new(false), whyOpen: "it was turned off with --seal off"}, nil
	case sealAuto, sealOn:
	default:
		return sealing{}, bad("--seal takes auto, on or off")
	}
	report := seal.Check(ctx)
	why := redact.Line(report.Why, 300)
	switch {
	case report.Sealed:
		o.Hide, o.Network, o.Means = real(o.Hide), f.network, report.Means
		wall := seal.New(o)
		return sealing{launch: wall.Launch, outside: wall, sealed: new(true)}, nil
	case f.mode == sealOn:
		return sealing{}, &Error{Code: exitBad, Err: fmt.Errorf("--seal on, but no wall can be had here: %s", why), Hints: []string{"checkrein drive doctor"}}
	}
	return sealing{sealed: new(false), whyOpen: why}, nil
}

// notOfTheWall adds to an error of commands behind a wall how to find out whether the
// wall is the reason.
func (f sealFlags) notOfTheWall(sealed *bool, err error) error {
	var e *Error
	if sealed == nil || !*sealed || !errors.As(err, &e) || e.Code != exitBad {
		return err
	}
	if !f.network {
		e.Hints = append(e.Hints, "checkrein drive mine --validate --test-network, where tests need the network")
	}
	e.Hints = append(e.Hints, "checkrein drive mine --validate --seal off, where they need what is out of sight behind the wall")
	return e
}

// real adds to folders where they really are.
func real(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		out = append(out, abs)
		if there, err := filepath.EvalSymlinks(abs); err == nil && there != abs {
			out = append(out, there)
		}
	}
	return out
}
