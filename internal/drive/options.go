package drive

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/setup"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// Options is one run command.
type Options struct {
	Surroundings
	Tasks    task.Document
	Results  string          // path of the results file
	Adapters []trial.Adapter // one per variant, in plan order
	Cap      float64         // dollars, over all commands on these results
	Timeout  time.Duration   // of each agent
	Jobs     int             // trials side by side; less than 1 means 1
	Keep     bool            // keep the copies
	Unpriced []string        // harnesses that may run though their cost cannot be measured
	Grading  string          // task.ByTests, task.BySuite, or "" for as each task was mined
	Setups   *setup.Cache    // what setups left; nil keeps nothing
	Watch    func(trial.Event)

	// Pay adds what a run was charged to what all of the user's sessions have
	// spent. It may be called again for the same run, also by a later command.
	Pay func(run string, usd float64)
}

// BadInput is an error of what was asked for: its text says what to change.
type BadInput struct{ text string }

func (e BadInput) Error() string { return e.text }

func badInput(format string, args ...any) error { return BadInput{fmt.Sprintf(format, args...)} }

// ErrStopped is a run that a signal ended. What ran is recorded with its spend,
// and the same command goes on from there.
var ErrStopped = errors.New("stopped")

// errSpent ends an agent whose reservation is used up.
var errSpent = errors.New("the reservation is used up")

// check refuses what cannot be run, before anything is touched.
func (d *drive) check() error {
	var ids []string
	for _, t := range d.Tasks.Tasks {
		if _, twice := d.tasks[t.ID]; t.Runs() && !twice {
			d.tasks[t.ID] = t
			ids = append(ids, t.ID)
		}
	}
	var variants []trial.Variant
	for _, a := range d.Adapters {
		if a.Found {
			variants = append(variants, a.Variant)
		}
	}
	d.plan = trial.All(ids, variants, 1)
	switch {
	case len(ids) == 0 && Rejected(d.Tasks) > 0:
		return badInput("Every validated task is rejected. Run checkrein drive tasks accept ID for those that agents may run on.")
	case len(ids) == 0:
		return badInput("The tasks file has no validated tasks. Run checkrein drive mine --validate first.")
	case math.IsNaN(d.Cap) || math.IsInf(d.Cap, 0) || d.Cap <= 0:
		return badInput("--max-usd must be a dollar amount above zero.")
	case d.Timeout < time.Second:
		return badInput("--timeout must be at least 1 second.")
	case !isDir(d.Tasks.Repo):
		return badInput("The repository in the tasks file is gone: %s", redact.Code(d.Tasks.Repo, 300))
	}
	if err := d.checkGrading(); err != nil {
		return err
	}
	return d.checkPrices()
}

func (d *drive) checkPrices() error {
	for _, a := range d.Adapters {
		if !a.Found || a.Priced() || (a.RunsUnpriced && contains(d.Unpriced, a.Name)) {
			continue
		}
		reason, fix := a.Unpriced(func(model string) string { return redact.Code(model, 60) })
		return badInput("%s cannot be priced: %s. %s.", a.Label, reason, fix)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
