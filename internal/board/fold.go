package board

import (
	"slices"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// fold is the records sorted out: the latest of each trial, and what they say
// about which tasks can be compared.
type fold struct {
	latest   []trial.Record
	tasks    []string // in order of appearance
	variants []string
	ran      map[string]bool // variants with a scored run
	common   []string        // tasks that every variant in ran has a score for, asked the same
	reworded []string        // tasks that were asked in different words
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
		switch {
		case !f.sameWords(task):
			f.reworded = append(f.reworded, task)
		case len(f.ran) > 0 && f.all(scored, task):
			f.common = append(f.common, task)
		}
	}
	return f
}

// sameWords tells whether all results of a task are of one request.
func (f fold) sameWords(task string) bool {
	var first *trial.Record
	for i := range f.latest {
		switch r := &f.latest[i]; {
		case r.Task != task || !r.Scored():
		case first == nil:
			first = r
		case !first.SameRequest(r.Asked, r.PromptBy) && !r.SameRequest(first.Asked, first.PromptBy):
			return false
		}
	}
	return true
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

// maxNames is how many tests that did not pass are listed for one result.
const maxNames = 20

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
		if r.Grade != nil {
			res.Tests = new(r.Grade.Shown(maxNames, func(name string) string { return redact.Line(name, 160) }))
			res.Tests.Reason = redact.Line(res.Tests.Reason, 160)
		}
		res.PutBack, res.Signs = safeSigns(r)
		t.Results[r.ID().Variant] = res
	}
	return t
}
