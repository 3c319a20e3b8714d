package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/setup"
	"checkrein/internal/trial"
)

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
	a.emit(trial.Event{Kind: trial.Copied})
	a.copied = a.d.Setups.Copy(ws.Dir)
	done, err := a.setUp(ctx, setup.ForTree)
	if err != nil {
		return err
	}
	if !done.OK {
		a.rec.Error = "the setup command failed"
		return nil
	}
	if err := ws.Baseline(ctx); err != nil { // after setup: what it made is not the agent's work
		return err
	}
	a.emit(trial.Event{Kind: trial.Prepared, Reused: done.Reused})
	return nil
}

// runAgent runs the agent, and charges it as soon as it is gone.
func (a *attempt) runAgent(ctx context.Context) error {
	h := a.job.adapter
	j := harness.Job{
		Prompt:  Prompt(a.task, a.d.Tasks.TestCmd),
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
		Stdout: a.log(".out"), Stderr: a.log(".err"), MaxOutput: maxOutput, Launch: a.d.Launch, Kind: proc.Agent, Needs: side(h, j),
		Own: a.d.own(h),
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

// side is what the agent needs outside its copy.
func side(h trial.Adapter, j harness.Job) []string {
	if h.Files == nil {
		return nil
	}
	return []string{j.Dir}
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

// hint is the fix for what the agent said on its way out, in its output or, when
// that says nothing, among its last error lines.
func (a *attempt) hint(why string) string {
	if fix := a.job.adapter.Fix(why); fix != "" || a.end.Outcome.Error != "" {
		return fix
	}
	return a.job.adapter.Fix(tail(a.log(".err")))
}
