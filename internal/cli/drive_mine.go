//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/seal"
	"checkrein/internal/task"
)

// driveFolder is where a repository's tasks, runs and logs are. It ignores
// itself in git.
const driveFolder = ".harness-test-drive"

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

func newDriveMineCommand(env Env) *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine",
		Short: "Find tasks in a repository's own history",
		Long: `Finds past commits that changed both source and test files, and writes them to a
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
a test command that fails at HEAD; 130 stopped, with the copies deleted.`,
		Example: `  checkrein drive mine
  checkrein drive mine --validate --test-cmd "npm test" --setup-cmd "npm ci"
  checkrein drive mine --validate --max 20 --since 730d --jobs 4
  checkrein drive mine --validate --path packages/core
  checkrein drive mine --validate --grading suite
  checkrein drive mine --validate --test-cmd "mvn -q -fae test" --report "**/surefire-reports/*.xml"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.widen = f.grading != task.BySuite && !cmd.Flags().Changed("since")
			return runDriveMine(cmd.Context(), f, env)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repo, "repo", ".", "the git repository")
	flags.StringVar(&f.path, "path", "", "only commits that change code and tests in this `folder`, from the repository's top folder")
	flags.StringVar(&f.testCmd, "test-cmd", "", "shell command that runs the tests (default: detected)")
	flags.BoolVar(&f.validate, "validate", false, "keep only tasks with tests that fail before the change and pass after it")
	flags.IntVar(&f.max, "max", 10, "most tasks to keep")
	flags.StringVar(&f.since, "since", "365d", "how far back: 365d, a date such as 2026-01-15, or all")
	flags.StringVar(&f.setupCmd, "setup-cmd", "", "shell command run in each fresh copy before the tests")
	flags.IntVar(&f.testTimeout, "test-timeout", 600, "seconds for each setup and test run")
	flags.StringVar(&f.tasks, "tasks", "", "where to write the tasks (default <repo>/"+driveFolder+"/tasks.json)")
	flags.BoolVar(&f.json, "json", false, "print JSON instead of the report")
	flags.StringVar(&f.out, "out", "", "also write the report to this file")
	flags.IntVar(&f.jobs, "jobs", 2, "candidates checked side by side")
	flags.StringVar(&f.grading, "grading", task.Auto, "what decides: auto (tests where they are reported), tests (each by itself), or suite (its exit code)")
	completesList(cmd, "grading", task.Auto, task.ByTests, task.BySuite)
	flags.StringVar(&f.report, "report", "", "`pattern` of JUnit or TAP reports that the test command writes, from the repository's top folder")
	flags.IntVar(&f.reruns, "reruns", 10, "further runs that a task's failing tests must pass with the change (--grading tests, auto)")
	flags.BoolVar(&f.hints, "hints", false, "keep commits whose tests use names that nothing gives, and put those names into the prompt")
	f.seal.flags(cmd)
	f.setup.flag(cmd)
	flags.StringArrayVar(&f.env, "env", nil, "a variable that setup and tests may see (repeatable; X_* for a prefix)")
	return cmd
}

// runDriveMine mines under the signals that a stop comes as: a key, a stopped
// background task, a closed terminal.
func runDriveMine(ctx context.Context, f mineFlags, env Env) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := mine(ctx, f, env)
	switch known := new(Error); {
	case ctx.Err() != nil && err != nil:
		return &Error{Code: exitStopped, Err: errors.New("stopped: the temporary copies are deleted, and no tasks file was written")}
	case err == nil || errors.As(err, &known):
		return err
	}
	return &Error{Code: exitBad, Err: err}
}

func mine(ctx context.Context, f mineFlags, env Env) error {
	if f.max < 1 || f.testTimeout < 1 || f.jobs < 1 {
		return bad("--max, --test-timeout and --jobs must be at least 1")
	}
	if err := f.checkGrading(); err != nil {
		return err
	}
	if err := f.setup.check(); err != nil {
		return err
	}
	if _, err := task.Since(f.since); err != nil {
		return err
	}
	r, err := openRepo(ctx, f.repo)
	if err != nil {
		return err
	}
	defer r.Close() // a copy that can't be deleted now is deleted by the next command
	o, err := mineOptions(ctx, r, f, env)
	if err != nil {
		return err
	}
	tasks, err := f.tasksFile(r)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Dir(tasks)) // commands that write logs there run elsewhere
	if err != nil {
		return fmt.Errorf("finding the folder of the tasks file: %w", err)
	}
	if err := f.wall(ctx, &o, r.Top, folder); err != nil {
		return err
	}
	defer o.Setups.Close()
	o.Known = filepath.Join(folder, "history")
	if o.Logs = filepath.Join(folder, "logs"); f.validate {
		if err := os.MkdirAll(o.Logs, 0o777); err != nil {
			return fmt.Errorf("making the folder of the logs: %w", err)
		}
	}
	fmt.Fprintf(env.Stderr, "Test command: %s (%s)\n", redact.Code(o.TestCmd, 200), o.Source)
	tell, end := live.Watch(live.On(env.Stderr, env.Getenv, env.Now), &live.Mine{})
	o.Tell = tell
	doc, err := task.Mine(ctx, r, o)
	end()
	if err != nil {
		return f.seal.notOfTheWall(o.Sealed, f.mineError(ctx, r, err))
	}
	return f.deliver(doc, tasks, env)
}

// wall puts setup and tests behind one, where candidates are checked.
func (f mineFlags) wall(ctx context.Context, o *task.Options, top, folder string) error {
	if !f.validate {
		return nil
	}
	wall, err := f.seal.choose(ctx, seal.Options{Hide: []string{top, folder}, Builds: filepath.Join(folder, buildCaches), Trusted: true})
	o.Launch, o.Sealed, o.WhyOpen = wall.launch, wall.sealed, wall.whyOpen
	o.Setups = f.setup.cache(folder, wall)
	return err
}

// openRepo opens a repository, and first removes what a killed command has left
// of its copies.
func openRepo(ctx context.Context, dir string) (*repo.Repo, error) {
	_ = repo.Sweep() // what it can't remove is no reason not to work
	r, err := repo.Open(ctx, dir)
	return r, notOpened(err, redact.Code(dir, 300))
}

// notOpened says why a repository can't be read, and what helps.
func notOpened(err error, dir string) error {
	hint := func(text, hint string) error {
		return &Error{Code: exitBad, Err: fmt.Errorf(text, dir), Hints: []string{hint}}
	}
	switch {
	case errors.Is(err, repo.ErrNoRepository):
		return bad("%s is not a git repository", dir)
	case errors.Is(err, repo.ErrNoGit):
		return bad("%w; the test drive reads %s with it", repo.ErrNoGit, dir)
	case errors.Is(err, repo.ErrOwner):
		return hint("the repository of %s belongs to another user, and git refuses to read it", "git config --global --add safe.directory FOLDER, if you trust it")
	case errors.Is(err, repo.ErrBare):
		return hint("%s is a repository without a working tree", "git clone it, and start in the clone")
	}
	return err
}

func mineOptions(ctx context.Context, r *repo.Repo, f mineFlags, env Env) (o task.Options, err error) {
	o = task.Options{
		TestCmd: f.testCmd, Source: "--test-cmd", SetupCmd: f.setupCmd, Since: f.since, Widen: f.widen, Max: f.max, TestTimeout: f.testTimeout,
		Check: f.validate, Jobs: f.jobs, Now: env.Now(), Grading: f.grading, Report: f.report, Reruns: f.reruns, Hints: f.hints,
		Env: proc.Env(proc.Tests, f.env, r.Spellings(env.Getenv("PWD")), env.Environ()),
	}
	if o.Path, err = pathIn(r.Top, f.path); err != nil {
		return o, err
	}
	if o.TestCmd == "" {
		o.TestCmd, o.Source = task.DetectTestCmdIn(os.DirFS(r.Top), o.Path)
	}
	if o.TestCmd == "" {
		return o, bad("no test command found (no package.json test script, pytest config or tests folder, go.mod, " +
			"Cargo.toml, or Makefile test target); pass --test-cmd: .github/workflows or the README may name the command that CI runs")
	}
	return o, ctx.Err()
}

// tasksFile is the path of the tasks file, its folder made. The default folder
// keeps itself out of git.
func (f mineFlags) tasksFile(r *repo.Repo) (string, error) {
	path := f.tasks
	if path == "" {
		path = filepath.Join(r.Top, driveFolder, "tasks.json")
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", fmt.Errorf("making the folder of the tasks file: %w", err)
	}
	if f.tasks != "" {
		return path, nil
	}
	ignore, err := os.OpenFile(filepath.Join(folder, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return path, nil
	}
	if err == nil {
		_, err = ignore.WriteString("# Written by checkrein: keeps this folder out of git.\n*\n")
		err = errors.Join(err, ignore.Close())
	}
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", filepath.Join(folder, ".gitignore"), err)
	}
	return path, nil
}

// deliver writes the tasks file and prints the report.
func (f mineFlags) deliver(doc *task.Document, tasks string, env Env) error {
	if old, err := drive.ReadTasks(tasks); err == nil {
		doc.KeepReviews(old)
	}
	text, err := doc.Marshal()
	if err != nil {
		return fmt.Errorf("writing the tasks: %w", err)
	}
	if err := os.WriteFile(tasks, text, 0o666); err != nil {
		return fmt.Errorf("writing the tasks: %w", err)
	}
	report := mineReport(doc, tasks)
	if f.out != "" {
		if err := os.WriteFile(f.out, []byte(report), 0o666); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if f.json {
		out, err := json.Marshal(mineSummary(doc, tasks), jsontext.WithIndent("  "), json.Deterministic(true))
		if err != nil {
			return err
		}
		report = string(out) + "\n"
	}
	_, err = env.Stdout.Write([]byte(report))
	return err
}

// mineError says what to do about an error of mining.
func (f mineFlags) mineError(ctx context.Context, r *repo.Repo, err error) error {
	if head := new(task.HeadError); errors.As(err, &head) {
		return f.headError(head)
	}
	if errors.Is(err, repo.ErrNoObject) && r.Partial(ctx) {
		return &Error{
			Code:  exitBad,
			Err:   fmt.Errorf("%s; a partial clone keeps old file contents on the server, and nothing is fetched here", safeError(err)),
			Hints: []string{"git fetch --refetch"},
		}
	}
	return errors.New(safeError(err))
}

// safeError is an error in which git quotes names from the repository.
func safeError(err error) string { return strings.ReplaceAll(redact.Line(err.Error(), 500), "\n", " ") }

// headError says why HEAD can't be the measure of anything.
func (f mineFlags) headError(e *task.HeadError) error {
	switch e.Reason {
	case task.CouldNotCopy:
		return bad("could not copy the files of HEAD into a fresh folder (a partial or damaged clone?)")
	case task.SetupFailed:
		return bad("the setup command fails at HEAD in a fresh copy of the repository; fix --setup-cmd%s", outputTail(e.Log))
	}
	if bad := gradingError(e); bad != nil {
		return bad
	}
	run := e.Runs.After
	what := "it was ended after writing too much output"
	switch {
	case run.TimedOut:
		what = fmt.Sprintf("it timed out after %s; raise --test-timeout if the tests need longer", live.Duration(run.Seconds))
	case run.Exit != nil:
		what = fmt.Sprintf("exit %d after %s", *run.Exit, live.Duration(run.Seconds))
	}
	err := fmt.Errorf("the test command fails at HEAD in a fresh copy of the repository (%s); pass a working --test-cmd, "+
		"or --setup-cmd to install what the tests need in the copy%s", what, outputTail(e.Log))
	if run.TimedOut || f.grading != task.BySuite {
		return &Error{Code: exitBad, Err: err}
	}
	return &Error{Code: exitBad, Err: err, Hints: []string{"checkrein drive mine --validate"}}
}
