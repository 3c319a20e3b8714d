package drive

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/setup"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// attempt is one run of one trial while it goes on.
type attempt struct {
	d      *drive
	job    job
	task   task.Task
	rec    trial.Record
	root   string // everything the run needs on disk is in here
	ws     *repo.Workspace
	copied *setup.Copy // the same, to be set up
	reused bool        // the setup before the tests did not run
	end    trial.End

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
		Sealed: a.d.Sealed, WhyOpen: a.d.WhyOpen,
	}
	request, by := Request(t)
	rec.Asked, rec.PromptBy = trial.RequestHash(request), by
	if t.Fair != nil {
		rec.Fair = redact.Line(t.Fair.Word, 20)
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
	a.look(changes)
	if not, why := a.end.CouldNotRun(); not {
		a.rec.Status, a.rec.Error = a.end.Unscored(), first(a.rec.Error, redact.Line(why, 160))
		a.rec.Hint = a.hint(why)
		return nil
	}
	return a.score(ctx, changes)
}

// judge puts an error of the machinery into the record. A stop by the user is
// none of the agent's doing, whatever it broke.
func (a *attempt) judge(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil && a.rec.Status == trial.Error:
		a.rec.Status, a.rec.Error, a.rec.Hint = trial.Interrupted, "stopped by the user", ""
	case err != nil:
		text := strings.ReplaceAll(err.Error(), a.root+"/", "") // the reason comes last, and must not be cut off
		a.rec.Status, a.rec.Error = trial.Error, redact.Line(text, 160)
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
	if err := a.d.record(trial.Event{Kind: trial.Recorded, Run: a.job.run, ID: a.job.id, Record: &a.rec}); err != nil {
		return err
	}
	a.d.warnOfLeft(a.root, a.leave())
	return os.Remove(a.d.folder.slot(a.job.slot))
}

// leave removes what the run had on disk, or leaves the copy to the user.
func (a *attempt) leave() error {
	a.reopen()
	switch {
	case a.d.Keep && a.ws != nil:
		return a.ws.Keep()
	case a.ws != nil:
		return errors.Join(a.ws.Remove(), removeAll(a.root))
	}
	return removeAll(a.root)
}

// reopen takes back the rights on the run's folder that an agent or a test took
// away. By now none of them runs.
func (a *attempt) reopen() {
	if info, err := os.Lstat(a.root); err == nil && info.IsDir() {
		_ = os.Chmod(a.root, 0o700) // what can't be changed shows in the next step
	}
}

func (a *attempt) emit(e trial.Event) {
	e.Run, e.ID = a.job.run, a.job.id
	a.d.emit(e)
}

func (a *attempt) log(ext string) string { return a.d.folder.log(a.job.id, ext) }
