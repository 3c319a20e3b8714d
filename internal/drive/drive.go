// Package drive runs trials: agents on tasks from a repository's history, each
// in a copy of its own, scored by the repository's tests, under a spend cap.
//
// It promises that money is written to the ledger before it can be spent and
// charged before a score is taken; that a kill at any instant loses no charge,
// and that the next command ends and removes whatever was left; that no trial
// is recorded twice; and that an agent's processes are gone before its work is
// scored. The user's repository is only read.
//
// What it decides, it decides by the rules of package trial; here are the
// files, the processes and the clock.
package drive

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// drive is one run command at work.
type drive struct {
	Options
	folder  Folder
	repo    *repo.Repo
	bank    *bank
	results *lines
	log     *lines
	tasks   map[string]task.Task
	plan    []trial.ID // all of it, done or not

	mu      sync.Mutex // of what follows
	summary trial.Summary
	failed  error // something of ours broke: nothing further starts
}

// Run runs every trial that is not done yet, until the cap. When ctx ends the
// error is ErrStopped.
func Run(ctx context.Context, o Options) (trial.Summary, error) {
	d := &drive{Options: o, tasks: map[string]task.Task{}}
	if err := d.check(); err != nil {
		return trial.Summary{}, err
	}
	folder, err := NewFolder(o.Results)
	if err != nil {
		return trial.Summary{}, err
	}
	d.folder = folder
	unlock, err := lock(folder.Results)
	if locked := (errLocked{}); errors.As(err, &locked) {
		return trial.Summary{}, badInput("%s: %s", locked, redact.Code(o.Results, 300))
	}
	if err != nil {
		return trial.Summary{}, fmt.Errorf("locking the results: %w", err)
	}
	defer unlock()
	if err := d.open(ctx); err != nil {
		return trial.Summary{}, err
	}
	defer d.close()
	return d.run(ctx)
}

// open opens the repository and the files, and hides both from agents.
func (d *drive) open(ctx context.Context) (err error) {
	if d.repo, err = repo.Open(ctx, d.Tasks.Repo); err != nil {
		return badInput("opening the repository in the tasks file: %v", err)
	}
	for _, dir := range []string{d.Tasks.Repo, d.repo.Top, d.folder.dir} {
		d.Hide = append(d.Hide, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			d.Hide = append(d.Hide, real)
		}
	}
	d.bank = &bank{now: d.Now, freed: make(chan struct{}, 1)}
	if d.bank.ledger, err = openLines(d.folder.ledger(), true); err != nil {
		return fmt.Errorf("opening the ledger: %w", err)
	}
	if d.results, err = openLines(d.folder.Results, true); err != nil {
		return fmt.Errorf("opening the results: %w", err)
	}
	if d.log, err = openLines(d.folder.events(), false); err != nil {
		return fmt.Errorf("opening the event log: %w", err)
	}
	return nil
}

func (d *drive) close() {
	for _, l := range []*lines{d.bank.ledger, d.results, d.log} {
		if l != nil {
			l.close()
		}
	}
	d.repo.Close()
}

func (d *drive) run(ctx context.Context) (trial.Summary, error) {
	if err := d.recover(); err != nil {
		return d.summary, err
	}
	records, err := ReadRecords(d.folder.Results)
	if err != nil {
		return d.summary, err
	}
	info, err := d.results.file.Stat()
	if err != nil {
		return d.summary, fmt.Errorf("reading the results: %w", err)
	}
	d.bank.book = trial.Book{Cap: d.Cap, Spent: trial.Spent(records)}
	pending := d.pending(records)
	d.opened(pending)
	d.warnOfOldWords(records, pending)
	if len(pending) > 0 {
		d.askVersions(ctx)
		d.warn(ctx, pending)
	}
	err = newSchedule(d, pending).run(ctx)
	err = errors.Join(err, sortResults(d.folder.Results, info.Size(), d.plan))
	d.emit(trial.Event{Kind: trial.Closed, Spent: d.bank.spent(), Left: d.summary.NotStarted})
	if err == nil && ctx.Err() != nil {
		err = ErrStopped
	}
	return d.summary, err
}

// pending is the plan without what is done. What was asked in other words is to
// be done again: nobody can compare the answers.
func (d *drive) pending(records []trial.Record) []trial.ID {
	done := trial.Done(records, func(r trial.Record) bool {
		request, by := Request(d.tasks[r.Task])
		return r.SameRequest(trial.RequestHash(request), by)
	})
	var out []trial.ID
	for _, id := range d.plan {
		if !done[id] {
			out = append(out, id)
		}
	}
	return out
}

// warnOfOldWords says why trials with a result run again.
func (d *drive) warnOfOldWords(records []trial.Record, pending []trial.ID) {
	had := trial.Done(records, func(trial.Record) bool { return true })
	again := 0
	for _, id := range pending {
		if had[id] {
			again++
		}
	}
	if again > 0 {
		d.emit(trial.Event{Kind: trial.Warned, Text: fmt.Sprintf(
			"the prompt has changed since %d of the results, so those trials run again and cost again.", again)})
	}
}

func (d *drive) opened(pending []trial.ID) {
	e := trial.Event{
		Kind: trial.Opened, Of: len(pending), Before: len(d.plan) - len(pending), Cap: d.Cap, Spent: d.bank.spent(),
		Text: redact.Line(d.Results, 300),
	}
	for _, a := range d.Adapters {
		if !a.Found {
			e.Missing = append(e.Missing, a.Name)
		}
	}
	d.emit(e)
}

// askVersions asks every harness for its version, once. Some take seconds to
// say it.
func (d *drive) askVersions(ctx context.Context) {
	var asking sync.WaitGroup
	for i, a := range d.Adapters {
		if a.Found {
			asking.Go(func() { d.Adapters[i].Version = d.version(ctx, a, filepath.Join(d.folder.logs(), a.Name+".version")) })
		}
	}
	asking.Wait()
}

func (d *drive) adapter(variant string) trial.Adapter {
	for _, a := range d.Adapters {
		if a.Variant.Name == variant {
			return a
		}
	}
	return trial.Adapter{}
}

// emit writes an event down and gives it to the readers.
func (d *drive) emit(e trial.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.append(e)
}

// record emits the event of a run that is over, and writes the record in it to
// the results. The log comes first and nothing comes between, so the results
// lack at most the log's last record, and only after a kill: see catchUp. What
// the run was charged is paid before that, so every record was paid.
func (d *drive) record(e trial.Event) error {
	if d.Pay != nil && e.Record.Charged > 0 {
		d.Pay(e.Record.Name(), e.Record.Charged)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e.Cap, e.Spent = d.Cap, d.bank.spent()
	d.append(e)
	if err := errors.Join(d.log.flush(), d.results.add(*e.Record)); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return nil
}

// append is emit under the lock.
func (d *drive) append(e trial.Event) {
	e.At = d.Now().UTC()
	if err := d.log.add(e); err != nil && d.failed == nil {
		d.failed = fmt.Errorf("writing the event log: %w", err)
	}
	d.summary.Take(e)
	if d.Watch != nil {
		d.Watch(e)
	}
}

// fail remembers that something of ours broke.
func (d *drive) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = errors.Join(d.failed, err)
}

func (d *drive) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}
