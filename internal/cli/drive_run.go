//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/board"
	"checkrein/internal/drive"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/seal"
	"checkrein/internal/setup"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// Where a drive keeps its files, from the repository's top folder.
const (
	defaultTasks   = ".harness-test-drive/tasks.json"
	defaultResults = ".harness-test-drive/results.jsonl"
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

func newDriveRunCommand(env Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run --harness NAMES --max-usd DOLLARS",
		Short: "Run the agents on the tasks and score them",
		Long: `Runs every chosen agent on every validated task, each in a fresh copy of the
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
stopped by a signal, with what ran recorded.`,
		Example: `  checkrein drive run --harness claude-code,codex --max-usd 5
  checkrein drive run --harness codex --model codex=gpt-6-sol --max-usd 10 --jobs 4
  checkrein drive run --harness claude-code,gemini-cli --allow-unpriced gemini-cli --max-usd 5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDrive(cmd.Context(), o, env) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.tasks, "tasks", defaultTasks, "tasks `file` from drive mine")
	flags.StringVar(&o.harness, "harness", "", "`names`, with commas between: "+strings.Join(drive.Names(), ", "))
	completesList(cmd, "harness", drive.Names()...)
	flags.Float64Var(&o.maxUSD, "max-usd", 0, "spend cap in `dollars` over all recorded runs")
	flags.IntVar(&o.timeout, "timeout", 900, "`seconds` that each agent may take")
	flags.IntVar(&o.jobs, "jobs", 2, "`number` of trials side by side")
	flags.BoolVar(&o.keep, "keep", false, "keep the copies that agents worked in")
	flags.StringVar(&o.unpriced, "allow-unpriced", "", "`names` that may run though their cost cannot be measured; their runs count $0")
	flags.StringVar(&o.model, "model", "", "pin models: harness=model `pairs`, with commas between")
	flags.StringArrayVar(&o.env, "env", nil, "pass this environment `variable` on to agents, setup and tests (repeatable; X_* for all that start so)")
	flags.StringVar(&o.results, "results", "", "results `file` (default: results.jsonl beside the tasks file)")
	flags.StringVar(&o.grading, "grading", task.Auto, "what decides: auto (as each task was mined), or insist on suite or tests")
	completesList(cmd, "grading", task.Auto, task.BySuite, task.ByTests)
	o.seal.flags(cmd)
	o.setup.flag(cmd)
	o.report.flags(cmd)
	for _, name := range []string{"harness", "max-usd"} {
		_ = cmd.MarkFlagRequired(name) // fails only for a flag that is not there
	}
	return cmd
}

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
	wall, err := o.wall(ctx, opts)
	if err != nil {
		return err
	}
	opts.Launch, opts.Sealed, opts.WhyOpen = wall.launch, wall.sealed, wall.whyOpen
	if wall.launch != nil {
		opts.CopyAt = seal.Copy
	}
	if opts.Setups, err = o.setups(wall); err != nil {
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

// driveOptions turns flags into a run, or says what to change.
func driveOptions(o runOptions, env Env) (drive.Options, error) {
	doc, err := loadTasks(o.tasks)
	if err != nil {
		return drive.Options{}, err
	}
	around := surroundings(env, o.env)
	adapters, err := chooseAdapters(o.harness, o.model, around)
	if err != nil {
		return drive.Options{}, err
	}
	unpriced := commaList(o.unpriced)
	for _, name := range unpriced {
		if !slices.Contains(commaList(o.harness), name) {
			return drive.Options{}, bad("%s is not among the chosen harnesses (--harness)", redact.Line(name, 40))
		}
	}
	if o.jobs < 1 {
		return drive.Options{}, bad("--jobs must be at least 1")
	}
	if o.grading != task.Auto && o.grading != task.BySuite && o.grading != task.ByTests {
		return drive.Options{}, bad("--grading is auto, suite or tests, not %s", redact.Line(o.grading, 40))
	}
	if o.results == "" {
		o.results = filepath.Join(filepath.Dir(o.tasks), "results.jsonl")
	}
	return drive.Options{
		Surroundings: around, Tasks: doc, Results: o.results, Adapters: adapters, Cap: o.maxUSD,
		Timeout: time.Duration(o.timeout) * time.Second, Jobs: o.jobs, Keep: o.keep, Unpriced: unpriced, Grading: o.grading,
		Pay: paysTrials(doc.Repo, env),
	}, nil
}

func surroundings(env Env, extra []string) drive.Surroundings {
	return drive.Surroundings{Environ: env.Environ(), Extra: extra, Prices: prices(env), Now: env.Now}
}

func loadTasks(path string) (task.Document, error) {
	doc, err := drive.ReadTasks(path)
	if err != nil {
		return doc, &Error{
			Code: exitBad, Err: fmt.Errorf("reading the tasks file %s: %s", redact.Line(path, 300), redact.Line(err.Error(), 300)),
			Hints: []string{"checkrein drive mine --validate"},
		}
	}
	return doc, nil
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

// chooseAdapters looks up the harnesses named, with their pinned models.
func chooseAdapters(names, models string, around drive.Surroundings) ([]trial.Adapter, error) {
	wanted := commaList(names)
	var unknown []string
	for _, name := range wanted {
		if _, ok := drive.Known(name); !ok {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 || len(wanted) == 0 {
		return nil, bad("Unknown harness %s. Known: %s.", redact.Line(first(strings.Join(unknown, ", "), names), 80),
			strings.Join(drive.Names(), ", "))
	}
	pinned := map[string]string{}
	for _, pair := range commaList(models) {
		name, model, ok := strings.Cut(pair, "=")
		name, model = strings.TrimSpace(name), strings.TrimSpace(model)
		if !ok || model == "" || !slices.Contains(wanted, name) {
			return nil, bad("--model takes harness=model pairs for the chosen harnesses, such as claude-code=claude-sonnet-5-5")
		}
		pinned[name] = model
	}
	var out []trial.Adapter
	for _, name := range wanted {
		out = append(out, around.Adapter(name, pinned[name]))
	}
	return out, nil
}

// commaList splits at commas; each name counts once.
func commaList(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
