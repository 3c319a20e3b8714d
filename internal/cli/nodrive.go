//go:build !unix

package cli

import "github.com/spf13/cobra"

func supervise([]string) (code int, ok bool) { return 0, false }

// newDriveCommand only says why: ending all that an agent started rests on
// sessions and process groups, which this system has not.
func newDriveCommand(Env) *cobra.Command {
	return &cobra.Command{
		Use:                "drive",
		Short:              "Test-drive agents on your own repository (Linux and macOS)",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return bad("the test drive runs on Linux and macOS only; the guard runs here")
		},
	}
}
