package cli

import "github.com/spf13/cobra"

func newDriveCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drive",
		Short: "Test-drive agents on your own repository",
		Long: `Test-drives coding agents on tasks from your own git history: each agent gets the
message of a past commit in a fresh copy of the repository, and your own tests
decide whether it made the change.`,
		Example: `  checkrein drive mine --validate
  checkrein drive estimate
  checkrein drive run --harness claude-code,codex --max-usd 20
  checkrein drive report`,
	}
	cmd.AddCommand(newDriveMineCommand(env), newDriveEstimateCommand(env), newDriveRunCommand(env), newDriveReportCommand(env))
	return cmd
}
