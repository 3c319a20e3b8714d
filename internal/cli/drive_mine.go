//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

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
	if err := f.check(); err != nil {
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
	unlock, err := drive.LockMining(tasks)
	if err != nil {
		return err
	}
	defer unlock()
	err = f.places(ctx, &o, r.Top, tasks)
	defer o.Setups.Close()
	if err != nil {
		return err
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

// places says where mining keeps what it knows and logs, beside the tasks file,
// and what its commands may see.
func (f mineFlags) places(ctx context.Context, o *task.Options, top, tasks string) error {
	folder, err := filepath.Abs(filepath.Dir(tasks)) // commands that write logs there run elsewhere
	if err != nil {
		return fmt.Errorf("finding the folder of the tasks file: %w", err)
	}
	o.Known, o.Logs = filepath.Join(folder, "history"), filepath.Join(folder, "logs")
	if !f.validate {
		return nil
	}
	if err := f.wall(ctx, o, top, folder); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Logs, 0o777); err != nil {
		return fmt.Errorf("making the folder of the logs: %w", err)
	}
	return nil
}

// wall puts setup and tests behind one.
func (f mineFlags) wall(ctx context.Context, o *task.Options, top, folder string) error {
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
			"Cargo.toml, Makefile or Rakefile with a test target, nor a file of rspec, mix, Maven, Gradle, phpunit or dotnet); pass --test-cmd: .github/workflows or the README may name the command that CI runs")
	}
	return o, ctx.Err()
}
