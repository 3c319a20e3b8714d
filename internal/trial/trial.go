// Package trial holds what one trial is and the rules that decide about it: the
// plan of a run, what a trial may spend, what it is charged, what its end
// means, and what is written down of it.
//
// A trial is one attempt of one variant on one task. The package is pure: no
// files, no clock, no processes; package run does what it decides.
package trial

import (
	"slices"
	"strconv"
)

// Variant is what is compared: a harness with how it is set up. Today each
// harness has one, under its own name.
type Variant struct {
	Name         string            `json:"name"`
	Harness      string            `json:"harness"`
	Model        string            `json:"model,omitzero"`        // pinned; "" for the harness's own choice
	Effort       string            `json:"effort,omitzero"`       // as the harness spells it; "" for its default
	Instructions []string          `json:"instructions,omitzero"` // instruction files in force beside the repository's
	Settings     map[string]string `json:"settings,omitzero"`     // further settings by name
}

// Default is a harness as it comes, with a pinned model if there is one.
func Default(harness, model string) Variant {
	return Variant{Name: harness, Harness: harness, Model: model}
}

// ID names a trial. Two runs of the same trial (one of them interrupted) share
// it and differ in their run id.
type ID struct {
	Task    string `json:"task"`
	Variant string `json:"variant"`
	Attempt int    `json:"attempt"` // from 1
}

// FileName is the name that the trial's log files start with.
func (id ID) FileName() string {
	if id.Attempt <= 1 {
		return id.Task + "-" + id.Variant
	}
	return id.Task + "-" + id.Variant + "-" + strconv.Itoa(id.Attempt)
}

// Plan is the trials still to run, in plan order: task by task, on each task
// every variant, each as many times as asked.
func Plan(tasks []string, variants []Variant, attempts int, done map[ID]bool) []ID {
	var plan []ID
	for _, id := range All(tasks, variants, attempts) {
		if !done[id] {
			plan = append(plan, id)
		}
	}
	return plan
}

// All is every trial, in plan order.
func All(tasks []string, variants []Variant, attempts int) []ID {
	var all []ID
	for _, task := range tasks {
		for _, v := range variants {
			for n := range max(attempts, 1) {
				all = append(all, ID{task, v.Name, n + 1})
			}
		}
	}
	return all
}

// Done is the trials that need no further run. Of a trial that was asked in
// other words before, the newest result counts, as it does on the board: current
// says whether that was asked what is asked now.
func Done(records []Record, current func(Record) bool) map[ID]bool {
	done := map[ID]bool{}
	for _, r := range records {
		if r.Done() {
			done[r.ID()] = current(r)
		}
	}
	return done
}

// Latest keeps the newest record of each trial, in the order in which the
// trials first appear.
func Latest(records []Record) []Record {
	place := map[ID]int{}
	var out []Record
	for _, r := range records {
		if i, seen := place[r.ID()]; seen {
			out[i] = r
			continue
		}
		place[r.ID()] = len(out)
		out = append(out, r)
	}
	return out
}

// Spent is what all runs count toward the cap, those that were run again
// included.
func Spent(records []Record) float64 {
	total := 0.0
	for _, r := range records {
		total += max(r.Charged, 0) // an edited record makes no room under the cap
	}
	return total
}

// InPlanOrder sorts records by the plan, stably: runs of one trial keep their
// order, and trials that the plan does not know come first, as they were.
func InPlanOrder(records []Record, plan []ID) []Record {
	place := map[ID]int{}
	for i, id := range plan {
		place[id] = i + 1
	}
	out := slices.Clone(records)
	slices.SortStableFunc(out, func(a, b Record) int { return place[a.ID()] - place[b.ID()] })
	return out
}
