//go:build unix

package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/task"
)

type runOptions struct {
	tasks, harness, model, results, unpriced, grading string
	maxUSD                                            float64
	timeout, jobs                                     int
	keep                                              bool
	env                                               []string
	report                                            reportOptions
	seal                                              sealFlags
	setup                                             setupFlag
}

const runHelp = `Runs every chosen agent on every validated task, each in a fresh copy of the
repository at the commit before the change, and lets the repository's own tests
decide. The agents call their model providers, and that costs money: --max-usd is
the most that may be counted, over all runs recorded in the results file.

A run sets aside what it may cost, at most a high estimate, and starts while
anything is left. Claude Code stops itself at that amount. A Codex run has no limit
but --timeout, and one cut off there counts as an estimate, so the bill can pass
the cap by what such runs cost. Runs allowed with --allow-unpriced count $0.

Every run is recorded when it ends. The same command goes on after a stop, runs
again what was interrupted or could not run at no cost, and counts earlier spend.

Each agent loads the repository's own agent settings, edits files and runs the test
command. On Linux it does so behind a wall where one can be had, and the report says
whether it did (checkrein drive doctor). The wall shares your kernel: for code you did
not write, work in a container or a virtual machine.

Exit status: 0 done, also when the cap was reached; 2 bad flags or files; 130
stopped by a signal, with what ran recorded.`

const runExamples = `  checkrein drive run --harness claude-code,codex --max-usd 5
  checkrein drive run --harness codex --model codex=gpt-6-sol --max-usd 10 --jobs 4
  checkrein drive run --harness claude-code,gemini-cli --allow-unpriced gemini-cli --max-usd 5`

func newDriveRunCommand(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:     "run --harness NAMES --max-usd DOLLARS",
		Short:   "Run the agents on the tasks and score them",
		Long:    runHelp,
		Example: runExamples,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDrive(cmd.Context(), o, env) },
	}
	o.entrants(cmd)
	o.spending(cmd)
	o.scoring(cmd)
	o.seal.flags(cmd)
	o.setup.flag(cmd)
	o.report.flags(cmd)
	return cmd
}

// entrants: who runs, and as what.
func (o *runOptions) entrants(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.harness, "harness", "", "`names`, with commas between: "+strings.Join(drive.Names(), ", "))
	completesList(cmd, "harness", drive.Names()...)
	must(cmd.MarkFlagRequired("harness"))
	flags.StringVar(&o.model, "model", "", "pin models: harness=model `pairs`, with commas between")
	flags.StringArrayVar(&o.env, "env", nil, "pass this environment `variable` on to agents, setup and tests (repeatable; X_* for all that start so)")
}

// spending: how much money and time, and of how many at a time.
func (o *runOptions) spending(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&o.maxUSD, "max-usd", 0, "spend cap in `dollars` over all recorded runs")
	must(cmd.MarkFlagRequired("max-usd"))
	flags.StringVar(&o.unpriced, "allow-unpriced", "", "`names` that may run though their cost cannot be measured; their runs count $0")
	flags.IntVar(&o.timeout, "timeout", 900, "`seconds` that each agent may take")
	flags.IntVar(&o.jobs, "jobs", 2, "`number` of trials side by side")
}

// scoring: on which tasks, by what, and what is left of it.
func (o *runOptions) scoring(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.tasks, "tasks", defaultTasks, "tasks `file` from drive mine")
	flags.StringVar(&o.results, "results", "", "results `file` (default: results.jsonl beside the tasks file)")
	flags.StringVar(&o.grading, "grading", task.Auto, "what decides: auto (as each task was mined), or insist on suite or tests")
	completesList(cmd, "grading", task.Auto, task.BySuite, task.ByTests)
	flags.BoolVar(&o.keep, "keep", false, "keep the copies that agents worked in")
}
