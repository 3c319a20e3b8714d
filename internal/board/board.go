// Package board makes the scoreboard of a test drive: recorded runs in, a Board
// out, and that as Markdown or JSON.
//
// It is pure, and it never trusts a record: text in it came from repositories
// and agents, so it is made safe again before it is shown. Harnesses are
// compared only on the tasks that every one of them finished, so a stop at the
// cap leaves a fair comparison.
package board

import (
	"slices"

	"checkrein/internal/grade"
	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

// Board is the scoreboard. Sentences in it (headline, notes) are Markdown;
// other text is plain.
type Board struct {
	Headline string  `json:"headline"`
	Compared int     `json:"tasks_compared"`
	Rows     []Row   `json:"harnesses"` // in rank order: most passes, then the lowest cost per pass
	Tasks    []Task  `json:"tasks"`
	Spent    float64 `json:"spent_usd"` // every run, those run again included
	Runs     int     `json:"runs"`      // trials with a record
	Notes    []Note  `json:"notes"`
}

// Row is one variant, over the tasks compared. Nil means not known, or nothing
// to count.
type Row struct {
	Harness      string   `json:"harness"`
	Variant      string   `json:"variant"`
	Label        string   `json:"label"`
	Versions     []string `json:"versions"`
	Runs         int      `json:"runs"`
	Passed       int      `json:"passed"`
	PassRate     *float64 `json:"pass_rate"`
	Minutes      *float64 `json:"median_minutes"`
	CostPerPass  *float64 `json:"cost_per_pass"` // all spend on these tasks, failed runs included, per pass
	TotalCost    *float64 `json:"total_cost"`
	Unmeasured   int      `json:"unmeasured_runs"`
	LinesChanged *float64 `json:"median_lines_changed"`
	Timeouts     int      `json:"timeouts"`
	Errors       int      `json:"errors"`        // trials without a score, on any task
	CouldNotRun  *string  `json:"could_not_run"` // why no run of it was scored

	shown string // the label in Markdown
}

// Task is one task, with the latest result of each variant by its name.
type Task struct {
	Task      string            `json:"task"`
	Commit    string            `json:"commit"`
	Subject   string            `json:"subject"`
	GoldLines *int              `json:"gold_lines"`
	Results   map[string]Result `json:"results"`
}

// Result is the latest run of one variant on one task.
type Result struct {
	Status   string   `json:"status"`
	TimedOut bool     `json:"timed_out"`
	Minutes  float64  `json:"minutes"`
	Cost     *float64 `json:"cost_usd"`
	Error    string   `json:"error"`

	Tests   *grade.Verdict `json:"tests,omitzero"`     // what single tests said; nil where the whole suite decided
	PutBack []string       `json:"put_back,omitempty"` // see trial.Record
	Signs   []trial.Sign   `json:"signs,omitempty"`
}

// Known looks a harness up by name. A name or fix of one that is not known is
// recorded text, and shown as such.
type Known func(name string) (harness.Headless, bool)

// New makes the board of all records, oldest first. Checked is the day the
// prices were last compared with their sources.
func New(records []trial.Record, known Known, checked string) Board {
	b := Board{Headline: "No runs recorded yet.", Rows: []Row{}, Tasks: []Task{}, Notes: []Note{}}
	if len(records) == 0 {
		return b
	}
	f := newFold(records)
	for _, variant := range f.variants {
		b.Rows = append(b.Rows, f.row(variant, known))
	}
	slices.SortStableFunc(b.Rows, rank)
	for _, task := range f.tasks {
		b.Tasks = append(b.Tasks, f.task(task))
	}
	b.Compared, b.Runs, b.Spent = len(f.common), len(f.latest), trial.Round(trial.Spent(records), 4)
	b.Headline = headline(b)
	b.Notes = f.notes(b, known, checked)
	return b
}

// rank puts most passes first, then the lowest cost per pass; what could not
// run comes last.
func rank(a, b Row) int {
	switch {
	case (a.CouldNotRun != nil) != (b.CouldNotRun != nil):
		return sign(a.CouldNotRun != nil)
	case a.Passed != b.Passed:
		return b.Passed - a.Passed
	case (a.CostPerPass == nil) != (b.CostPerPass == nil):
		return sign(a.CostPerPass == nil)
	case a.CostPerPass == nil || *a.CostPerPass == *b.CostPerPass:
		return 0
	}
	return sign(*a.CostPerPass > *b.CostPerPass)
}

func sign(after bool) int {
	if after {
		return 1
	}
	return -1
}

func median(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 1 {
		return &values[mid]
	}
	return new((values[mid-1] + values[mid]) / 2)
}
