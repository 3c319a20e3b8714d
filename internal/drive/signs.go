package drive

import (
	"path/filepath"

	"checkrein/internal/decider"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// look gathers the signs of a run: what it did to tests that were there, and the
// tool calls in its output.
func (a *attempt) look(changes repo.Patch) {
	s := trial.Signs{Places: a.places(), Show: func(text string) string { return redact.Line(text, 200) }}
	for _, path := range changes.Files {
		if a.d.Tasks.Rules.ClassOf(path) == task.Test && !decider.Whole(path, a.ws.Had) && a.ws.Had(path) {
			s.Add(trial.EditedTest, path)
		}
	}
	eachLine(a.log(".out"), func(line []byte) {
		for _, u := range a.uses(line) {
			s.Use(u)
		}
	})
	a.rec.Signs = s.List
}

func (a *attempt) uses(line []byte) []harness.ToolUse {
	if a.job.adapter.Uses == nil {
		return nil
	}
	return a.job.adapter.Uses(line)
}

// places are what the agent may name, and what it may not.
func (a *attempt) places() trial.Places {
	p := trial.Places{Own: []string{a.root}, Foreign: a.d.Hide}
	if real, err := filepath.EvalSymlinks(a.root); err == nil && real != a.root {
		p.Own = append(p.Own, real)
	}
	if a.d.CopyAt != "" {
		p.Own = append(p.Own, a.d.CopyAt)
	}
	return p
}
