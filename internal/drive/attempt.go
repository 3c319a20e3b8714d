package drive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// attempt is one run of one trial while it goes on.
type attempt struct {
	d    *drive
	job  job
	task task.Task
	rec  trial.Record
	root string // everything the run needs on disk is in here
	ws   *repo.Workspace
	end  trial.End

	begun   bool // the agent was started
	settled bool // the ledger has its charge
}

// attempt runs a trial to its record, and writes that. It returns the record
// also when something of ours failed; see drive.failure.
func (d *drive) attempt(ctx context.Context, j job) trial.Record {
	a := &attempt{d: d, job: j, task: d.tasks[j.id.Task], root: copyRoot(j.run)}
	a.rec = a.newRecord()
	err := a.play(ctx)
	a.judge(ctx, err)
	if err := a.finish(); err != nil {
		d.fail(err)
	}
	return a.rec
}

func (a *attempt) newRecord() trial.Record {
	h, t := a.job.adapter, a.task
	rec := trial.Record{
		Schema: trial.Schema, Task: t.ID, Commit: t.Commit, Subject: redact.Line(t.Subject, 100), GoldLines: &t.GoldLines,
		Harness: h.Name, Label: h.Label, Version: h.Version, Started: a.d.Now().UTC().Format(time.RFC3339),
		Status: trial.Error, Run: a.job.run, Variant: a.job.id.Variant, Attempt: a.job.id.Attempt, Reserved: &a.job.reserved,
	}
	if h.Variant.Model != "" || h.Variant.Effort != "" || h.Variant.Instructions != nil || h.Variant.Settings != nil {
		rec.Spec = &h.Variant
	}
	return rec
}

// play goes through the steps. Its error is one of the machinery, or ctx's.
func (a *attempt) play(ctx context.Context) error {
	if err := a.prepare(ctx); err != nil || a.rec.Error != "" {
		return err
	}
	if err := a.runAgent(ctx); err != nil {
		return err
	}
	changes, err := a.capture(ctx)
	if err != nil {
		return err
	}
	if not, why := a.end.CouldNotRun(); not {
		a.rec.Status, a.rec.Error = a.end.Unscored(), first(a.rec.Error, redact.Line(why, 160))
		a.rec.Hint = a.hint(why)
		return nil
	}
	return a.score(ctx, changes)
}

// prepare makes the copy and sets it up. From the first line on, a kill leaves
// a record of it.
func (a *attempt) prepare(ctx context.Context) error {
	for _, ext := range []string{".out", ".err", ".diff", ".tests"} {
		if err := os.RemoveAll(a.log(ext)); err != nil { // an earlier run's output must not be taken for this one's
			return err
		}
	}
	if err := a.d.mark(a.job, a.rec, false); err != nil {
		return fmt.Errorf("writing the in-flight record: %w", err)
	}
	if err := os.Mkdir(a.root, 0o700); err != nil {
		return fmt.Errorf("making the run's folder: %w", err)
	}
	ws, err := a.d.repo.Copy(ctx, a.task.Parent, a.root)
	if err != nil {
		return err
	}
	a.ws = ws
	ok, err := a.setUp(ctx)
	if err != nil {
		return err
	}
	if !ok {
		a.rec.Error = "the setup command failed"
		return nil
	}
	if err := ws.Baseline(ctx); err != nil { // after setup: what it made is not the agent's work
		return err
	}
	a.emit(trial.Event{Kind: trial.Prepared})
	return nil
}

// runAgent runs the agent, and charges it as soon as it is gone.
func (a *attempt) runAgent(ctx context.Context) error {
	h := a.job.adapter
	j := harness.Job{
		Prompt:  trial.Prompt(a.task.Subject, a.task.Body, a.d.Tasks.TestCmd),
		TestCmd: a.d.Tasks.TestCmd, Budget: a.job.reserved, Model: h.Model, Dir: filepath.Join(a.root, "settings"),
	}
	if err := writeSide(h, j); err != nil {
		return err
	}
	a.rec.Log = a.log(".out")
	if err := a.d.mark(a.job, a.rec, true); err != nil {
		return fmt.Errorf("writing the in-flight record: %w", err)
	}
	a.begun = true
	a.emit(trial.Event{Kind: trial.AgentStarted})
	res, err := a.watched(ctx, proc.Command{
		Argv: h.Command(j), Dir: a.ws.Dir, Env: a.d.agentEnv(h), Timeout: a.d.Timeout, ID: a.job.run,
		Stdout: a.log(".out"), Stderr: a.log(".err"), MaxOutput: maxOutput,
	})
	a.ended(res, err)
	a.emit(trial.Event{Kind: trial.AgentEnded, Seconds: res.Seconds, Exit: res.Exit, TimedOut: res.TimedOut})
	return errors.Join(a.settle(), a.machinery(err))
}

// maxOutput ends a command that floods the disk.
const maxOutput = 1 << 30

// watched runs the agent with a meter beside it.
func (a *attempt) watched(ctx context.Context, c proc.Command) (proc.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if h := a.job.adapter; h.ReportsWhileRunning {
		m := &meter{path: c.Stdout, out: h.Read(h.Reading(a.d.Tasks.TestCmd))}
		watching := make(chan struct{})
		defer func() { cancel(nil); <-watching }()
		go func() {
			defer close(watching)
			m.watch(ctx, a.job.reserved,
				func(usd float64) { a.emit(trial.Event{Kind: trial.Spending, USD: usd}) }, func() { cancel(errSpent) })
		}()
	}
	return proc.Run(ctx, c)
}

// writeSide writes what the harness needs beside its command.
func writeSide(h trial.Adapter, j harness.Job) error {
	if h.Files == nil {
		return nil
	}
	if err := os.Mkdir(j.Dir, 0o700); err != nil {
		return fmt.Errorf("making the agent's settings folder: %w", err)
	}
	for name, text := range h.Files(j) {
		if err := os.WriteFile(filepath.Join(j.Dir, name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("writing the agent's settings: %w", err)
		}
	}
	return nil
}

// ended reads what the agent printed into the record.
func (a *attempt) ended(res proc.Result, err error) {
	out := a.job.adapter.Read(a.job.adapter.Reading(a.d.Tasks.TestCmd))
	readOutput(a.log(".out"), out)
	o := out.Outcome()
	a.end = trial.End{
		Outcome: o, TimedOut: res.TimedOut, Ended: errors.Is(err, errSpent), Reserved: a.job.reserved, High: a.job.adapter.High(),
	}
	if res.Exit != nil {
		a.end.Exit = *res.Exit
	} else if res.Flooded || err != nil {
		a.end.Exit = -1
	}
	r := &a.rec
	r.TimedOut, r.ExitCode, r.AgentSeconds = res.TimedOut, res.Exit, &res.Seconds
	r.Tokens, r.Model, r.Turns, r.Denials = trial.TokensOf(o.Usage), redact.Line(o.Model, 60), o.Turns, o.Denials
	r.TestRuns, r.TestFailures, r.CutShort = o.TestRuns, o.TestsBad, a.end.CutShort()
	r.Error = redact.Line(first(o.Error, a.complaint()), 160)
	if res.Flooded {
		r.Error = "it printed more than a gigabyte"
	}
}

// complaint is the last line of the agent's error output, where it failed.
func (a *attempt) complaint() string {
	if a.end.Exit == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimRight(tail(a.log(".err")), "\n \t"), "\n")
	return lines[len(lines)-1]
}

// machinery sorts out the error of running the agent: one that we ended
// because its money is gone is no error.
func (a *attempt) machinery(err error) error {
	if errors.Is(err, errSpent) {
		return nil
	}
	return err
}

// settle charges the run. What the cap counts is on disk before any score.
func (a *attempt) settle() error {
	bill := trial.Bill{}
	if a.begun {
		seconds := 0.0
		if a.rec.AgentSeconds != nil {
			seconds = *a.rec.AgentSeconds
		}
		bill = trial.Charge(a.end.Outcome, a.job.adapter.Priced(), a.job.adapter.High(), a.rec.TimedOut, seconds)
	}
	a.settled = true
	a.rec.Cost, a.rec.CostSource, a.rec.Charged = bill.Cost, source(bill.Source), bill.Charge
	if _, err := a.d.bank.settle(a.job.run, a.job.id, bill); err != nil {
		a.d.fail(err)
		return err
	}
	a.emit(trial.Event{Kind: trial.Charged, USD: bill.Charge, Source: bill.Source})
	return nil
}

// judge puts an error of the machinery into the record. A stop by the user is
// none of the agent's doing, whatever it broke.
func (a *attempt) judge(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil && a.rec.Status == trial.Error:
		a.rec.Status, a.rec.Error, a.rec.Hint = trial.Interrupted, "stopped by the user", ""
	case err != nil:
		a.rec.Status, a.rec.Error = trial.Error, redact.Line(err.Error(), 160)
		a.rec.Hint = a.job.adapter.Fix(err.Error())
	}
}

// finish writes the record, and removes what the run had on disk.
func (a *attempt) finish() error {
	if !a.settled {
		if err := a.settle(); err != nil {
			return err
		}
	}
	if a.d.Keep && a.ws != nil {
		a.rec.Workspace = a.ws.Dir
	}
	if err := a.d.results.add(a.rec); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	a.emit(trial.Event{Kind: trial.Recorded, Record: &a.rec, Spent: a.d.bank.spent(), Cap: a.d.Cap})
	if !a.d.Keep {
		if err := removeAll(a.root); err != nil {
			return fmt.Errorf("removing a copy: %w", err)
		}
	}
	return os.Remove(a.d.folder.slot(a.job.slot))
}

func (a *attempt) emit(e trial.Event) {
	e.Run, e.ID = a.job.run, a.job.id
	a.d.emit(e)
}

func (a *attempt) log(ext string) string { return a.d.folder.log(a.job.id, ext) }

// hint is the fix for what the agent said on its way out, in its output or, when
// that says nothing, among its last error lines.
func (a *attempt) hint(why string) string {
	if fix := a.job.adapter.Fix(why); fix != "" || a.end.Outcome.Error != "" {
		return fix
	}
	return a.job.adapter.Fix(tail(a.log(".err")))
}

// readOutput feeds a log to a reader of it. A log that is missing says nothing.
func readOutput(path string, out harness.Output) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			out.Line([]byte(strings.TrimRight(string(line), "\r\n")))
		}
		if err != nil {
			return
		}
	}
}

// tail is the end of a log.
func tail(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > 1<<14 {
		_, _ = file.Seek(-1<<14, io.SeekEnd) // from the start is fine, too
	}
	text, _ := io.ReadAll(io.LimitReader(file, 1<<14))
	return strings.ToValidUTF8(string(text), "?")
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
