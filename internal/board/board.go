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

	"checkrein/internal/harness"
	"checkrein/internal/redact"
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

// fold is the records sorted out: the latest of each trial, and what they say
// about which tasks can be compared.
type fold struct {
	latest   []trial.Record
	tasks    []string // in order of appearance
	variants []string
	ran      map[string]bool // variants with a scored run
	common   []string        // tasks that every variant in ran has a score for
}

func newFold(records []trial.Record) fold {
	f := fold{latest: trial.Latest(records), ran: map[string]bool{}}
	scored := map[[2]string]bool{}
	for _, r := range f.latest {
		id := r.ID()
		if !slices.Contains(f.tasks, id.Task) {
			f.tasks = append(f.tasks, id.Task)
		}
		if !slices.Contains(f.variants, id.Variant) {
			f.variants = append(f.variants, id.Variant)
		}
		if r.Scored() {
			f.ran[id.Variant], scored[[2]string{id.Task, id.Variant}] = true, true
		}
	}
	for _, task := range f.tasks {
		if len(f.ran) > 0 && f.all(scored, task) {
			f.common = append(f.common, task)
		}
	}
	return f
}

func (f fold) all(scored map[[2]string]bool, task string) bool {
	for variant := range f.ran {
		if !scored[[2]string{task, variant}] {
			return false
		}
	}
	return true
}

// of is the latest records of one variant, scored or not, on the tasks that
// keep allows.
func (f fold) of(variant string, scored bool, keep func(task string) bool) []trial.Record {
	var out []trial.Record
	for _, r := range f.latest {
		if r.ID().Variant == variant && r.Scored() == scored && keep(r.Task) {
			out = append(out, r)
		}
	}
	return out
}

func anyTask(string) bool { return true }

func (f fold) row(variant string, known Known) Row {
	compared := func(task string) bool { return slices.Contains(f.common, task) }
	runs, errors := f.of(variant, true, compared), f.of(variant, false, anyTask)
	row := Row{Variant: variant, Versions: f.versions(variant), Runs: len(runs), Errors: len(errors)}
	row.Harness, row.Label, row.shown = f.name(variant, known)
	row.measure(runs)
	if !f.ran[variant] {
		why := "no result"
		if len(errors) > 0 {
			why = redact.Line(errors[0].Error, 100)
		}
		row.CouldNotRun = &why
	}
	return row
}

// measure puts the figures of the compared runs into the row.
func (row *Row) measure(runs []trial.Record) {
	total := 0.0
	var seconds, lines []float64
	for _, r := range runs {
		if r.Status == trial.Passed {
			row.Passed++
		}
		if r.TimedOut {
			row.Timeouts++
		}
		if r.Cost == nil {
			row.Unmeasured++
		} else {
			total += *r.Cost
		}
		if r.AgentSeconds != nil {
			seconds = append(seconds, *r.AgentSeconds)
		}
		if r.LinesChanged != nil {
			lines = append(lines, float64(*r.LinesChanged))
		}
	}
	total = trial.Round(total, 4)
	row.LinesChanged = median(lines)
	if m := median(seconds); m != nil {
		row.Minutes = new(trial.Round(*m/60, 1))
	}
	if len(runs) > 0 {
		row.PassRate = new(trial.Round(float64(row.Passed)/float64(len(runs)), 3))
	}
	if row.Unmeasured < len(runs) {
		row.TotalCost = &total
	}
	if row.Passed > 0 && row.Unmeasured == 0 {
		row.CostPerPass = new(trial.Round(total/float64(row.Passed), 4))
	}
}

// versions is every version that the variant's latest runs recorded.
func (f fold) versions(variant string) []string {
	out := []string{}
	for _, r := range f.latest {
		v := redact.Line(r.Version, 60)
		if r.ID().Variant == variant && v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// name is how the variant is called: its harness, a plain label, and the label
// in Markdown. A variant that is not its harness's default is named beside it.
func (f fold) name(variant string, known Known) (harnessName, label, shown string) {
	var r trial.Record
	for _, r = range f.latest {
		if r.ID().Variant == variant {
			break
		}
	}
	if h, ok := known(r.Harness); ok {
		label, shown = h.Label, h.Label
	} else {
		label = r.Label
		if label == "" {
			label = r.Harness
		}
		label, shown = redact.Line(label, 40), redact.Code(label, 40)
	}
	if variant != r.Harness {
		label, shown = label+" "+redact.Line(variant, 40), shown+" "+redact.Code(variant, 40)
	}
	return r.Harness, label, shown
}

func (f fold) task(task string) Task {
	t := Task{Task: task, Results: map[string]Result{}}
	first := true
	for _, r := range f.latest {
		if r.Task != task {
			continue
		}
		if first {
			t.Commit, t.Subject, t.GoldLines, first = r.Commit, redact.Line(r.Subject, 100), r.GoldLines, false
		}
		res := Result{Status: r.Status, TimedOut: r.TimedOut, Cost: r.Cost, Error: redact.Line(r.Error, 120)}
		if r.AgentSeconds != nil {
			res.Minutes = trial.Round(*r.AgentSeconds/60, 1)
		}
		t.Results[r.ID().Variant] = res
	}
	return t
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
