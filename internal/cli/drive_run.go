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

	"checkrein/internal/board"
	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/seal"
	"checkrein/internal/setup"
	"checkrein/internal/trial"
)

// Where a drive keeps its files, from the repository's top folder.
const (
	defaultTasks   = ".harness-test-drive/tasks.json"
	defaultResults = ".harness-test-drive/results.jsonl"
)

func runDrive(ctx context.Context, o runOptions, env Env) error {
	if err := o.setup.check(); err != nil {
		return err
	}
	opts, err := driveOptions(o, env)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := o.enclose(ctx, &opts); err != nil {
		return err
	}
	defer opts.Setups.Close()
	watch, end := live.Watch(live.On(env.Stderr, env.Getenv, env.Now), &live.Run{})
	opts.Watch = watch
	summary, err := drive.Run(ctx, opts)
	end()
	if err != nil {
		return driveError(err)
	}
	return o.tell(summary, opts, env)
}

// enclose puts what runs behind a wall, and finds what setups have left there.
func (o runOptions) enclose(ctx context.Context, opts *drive.Options) error {
	wall, err := o.wall(ctx, *opts)
	if err != nil {
		return err
	}
	opts.Launch, opts.Sealed, opts.WhyOpen = wall.launch, wall.sealed, wall.whyOpen
	if wall.launch != nil {
		opts.CopyAt = seal.Copy
	}
	opts.Setups, err = o.setups(wall)
	return err
}

// tell prints the summary of this run and the board of all.
func (o runOptions) tell(summary trial.Summary, opts drive.Options, env Env) error {
	tellSummary(summary, opts, env)
	fmt.Fprint(env.Stderr, rejectedLine(opts.Tasks))
	records, err := drive.ReadRecords(opts.Results)
	if err != nil {
		return bad("%s", redact.Line(err.Error(), 300))
	}
	b := board.New(records, drive.Known, opts.Prices.Checked)
	return o.report.emit(b.Markdown(), struct {
		board.Board
		Run trial.Summary `json:"run"`
	}{b, summary}, env)
}

func (o runOptions) setups(wall sealing) (*setup.Cache, error) {
	folder, err := filepath.Abs(filepath.Dir(o.tasks))
	return o.setup.cache(folder, wall), err
}

func (o runOptions) wall(ctx context.Context, opts drive.Options) (sealing, error) {
	folder, err := filepath.Abs(filepath.Dir(o.tasks))
	if err != nil {
		return sealing{}, err
	}
	return o.seal.choose(ctx, seal.Options{
		Hide: []string{opts.Tasks.Repo, filepath.Dir(opts.Results), folder}, Builds: filepath.Join(folder, buildCaches),
	})
}

// driveError gives an error of a run its exit code.
func driveError(err error) error {
	var input drive.BadInput
	switch {
	case errors.Is(err, drive.ErrStopped):
		return &Error{Code: exitStopped, Err: errors.New("stopped; what ran is recorded with its spend, and its copies are deleted: " +
			"run the same command to continue")}
	case errors.As(err, &input):
		return bad("%s", input.Error())
	}
	return &Error{Code: exitNo, Err: errors.New(redact.Line(err.Error(), 500))}
}
