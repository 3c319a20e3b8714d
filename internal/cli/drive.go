//go:build unix

package cli

import (
	"github.com/spf13/cobra"

	"checkrein/internal/proc"
	"checkrein/internal/seal"
)

// supervise is this program's hidden second life, below which a trial's
// commands run: package proc starts it.
func supervise(args []string) (code int, ok bool) {
	if len(args) != 1 || args[0] != proc.SuperviseArg {
		return 0, false
	}
	return proc.SuperviseBehind(seal.Enter), true
}

func newDriveCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drive",
		Short: "Test-drive agents on your own repository",
		Long: `Test-drives coding agents on tasks from your own git history: each agent gets the
message of a past commit in a fresh copy of the repository, and your own tests
decide whether it made the change.

Alone, on a terminal, it walks through the four steps and asks for the spend cap.`,
		Example: `  checkrein drive                      # walk through the four steps
  checkrein drive demo                 # see it work, no account needed
  checkrein drive mine --validate
  checkrein drive tasks                # look at them before they cost anything
  checkrein drive estimate
  checkrein drive run --harness claude-code,codex --max-usd 20
  checkrein drive report`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return walk(cmd.Context(), env) },
	}
	cmd.AddCommand(newDriveMineCommand(env), newDriveTasksCommand(env), newDriveEstimateCommand(env), newDriveRunCommand(env), newDriveReportCommand(env),
		newDriveDemoCommand(env), newDriveDoctorCommand(env))
	return cmd
}
