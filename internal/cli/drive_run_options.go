//go:build unix

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkrein/internal/drive"
	"checkrein/internal/redact"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

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
