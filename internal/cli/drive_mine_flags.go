//go:build unix

package cli

import (
	"github.com/spf13/cobra"

	"checkrein/internal/task"
)

type mineFlags struct {
	repo, testCmd, since, setupCmd, tasks, out string
	validate, json, hints                      bool
	max, testTimeout, jobs                     int
	env                                        []string
	grading, report, path                      string
	reruns                                     int
	widen                                      bool // nobody said how far back
	seal                                       sealFlags
	setup                                      setupFlag
}

const mineHelp = `Finds past commits that changed both source and test files, and writes them to a
tasks file. With --validate it runs the tests in fresh temporary copies and keeps
only commits with tests that fail before the change and pass after it, in every one
of --reruns further runs. The repository itself is only read.

Single tests decide, by the report of the test runner, which is asked for it by flags,
without a change to the repository; --report names reports that the test command
writes by itself. HEAD may fail tests: those that fail with the change, too, are listed
and left out, and so are flaky ones. Where no test is reported, and with --grading
suite, the exit code of the whole suite decides: HEAD must pass, and each commit must
fail before its change and pass after it, twice.

A commit whose tests use names that neither its message nor the repository before it
has is left out where single tests decide, because nobody could guess them. --hints
keeps it and tells the agents those names.

Without --since it looks further back when a year gives too few: two years, five, all.
--path takes only commits that change code and tests in a folder, such as one package
of several; a test command is looked for there first, and otherwise runs in the top
folder. With --grading suite nothing is widened, fewer names count as tests, and
merges are left out.

On Linux setup and tests run behind a wall where it can be had: checkrein drive
doctor says what it hides. A command in a copy sees an environment from an allow list: no credentials but
what package managers need, and no path of your repository. --env adds to it.

Exit status: 0 done, also when no task was found; 2 bad input, no test command, or
a test command that fails at HEAD; 130 stopped, with the copies deleted.`

const mineExamples = `  checkrein drive mine
  checkrein drive mine --validate --test-cmd "npm test" --setup-cmd "npm ci"
  checkrein drive mine --validate --max 20 --since 730d --jobs 4
  checkrein drive mine --validate --path packages/core
  checkrein drive mine --validate --grading suite
  checkrein drive mine --validate --test-cmd "mvn -q -fae test" --report "**/surefire-reports/*.xml"`

func newDriveMineCommand(env Env) *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:     "mine",
		Short:   "Find tasks in a repository's own history",
		Long:    mineHelp,
		Example: mineExamples,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.widen = f.grading != task.BySuite && !cmd.Flags().Changed("since")
			return runDriveMine(cmd.Context(), f, env)
		},
	}
	f.looking(cmd)
	f.checking(cmd)
	f.judging(cmd)
	f.telling(cmd)
	f.seal.flags(cmd)
	f.setup.flag(cmd)
	return cmd
}

// looking: which commits are candidates.
func (f *mineFlags) looking(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.repo, "repo", ".", "the git repository")
	flags.StringVar(&f.path, "path", "", "only commits that change code and tests in this `folder`, from the repository's top folder")
	flags.StringVar(&f.since, "since", "365d", "how far back: 365d, a date such as 2026-01-15, or all")
	flags.IntVar(&f.max, "max", 10, "most tasks to keep")
}

// checking: what runs in copies of them.
func (f *mineFlags) checking(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.validate, "validate", false, "keep only tasks with tests that fail before the change and pass after it")
	flags.StringVar(&f.testCmd, "test-cmd", "", "shell command that runs the tests (default: detected)")
	flags.StringVar(&f.setupCmd, "setup-cmd", "", "shell command run in each fresh copy before the tests")
	flags.IntVar(&f.testTimeout, "test-timeout", 600, "seconds for each setup and test run")
	flags.StringArrayVar(&f.env, "env", nil, "a variable that setup and tests may see (repeatable; X_* for a prefix)")
	flags.IntVar(&f.jobs, "jobs", 2, "candidates checked side by side")
}

// judging: which of them become tasks.
func (f *mineFlags) judging(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.grading, "grading", task.Auto, "what decides: auto (tests where they are reported), tests (each by itself), or suite (its exit code)")
	completesList(cmd, "grading", task.Auto, task.ByTests, task.BySuite)
	flags.StringVar(&f.report, "report", "", "`pattern` of JUnit or TAP reports that the test command writes, from the repository's top folder")
	flags.IntVar(&f.reruns, "reruns", 10, "further runs that a task's failing tests must pass with the change (--grading tests, auto)")
	flags.BoolVar(&f.hints, "hints", false, "keep commits whose tests use names that nothing gives, and put those names into the prompt")
}

// telling: where tasks and report go.
func (f *mineFlags) telling(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.tasks, "tasks", "", "where to write the tasks (default <repo>/"+driveFolder+"/tasks.json)")
	flags.BoolVar(&f.json, "json", false, "print JSON instead of the report")
	flags.StringVar(&f.out, "out", "", "also write the report to this file")
}

// check is for what can be said of the flags alone.
func (f *mineFlags) check() error {
	if f.max < 1 || f.testTimeout < 1 || f.jobs < 1 {
		return bad("--max, --test-timeout and --jobs must be at least 1")
	}
	if err := f.checkGrading(); err != nil {
		return err
	}
	if err := f.setup.check(); err != nil {
		return err
	}
	_, err := task.Since(f.since)
	return err
}
