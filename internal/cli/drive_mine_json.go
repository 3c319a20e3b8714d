//go:build unix

package cli

import (
	"checkrein/internal/fair"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/setup"
	"checkrein/internal/task"
)

// mineJSON is what --json prints, with untrusted text made safe.
type mineJSON struct {
	TasksFile     string         `json:"tasks_file"`
	Repo          string         `json:"repo"`
	Head          string         `json:"head"`
	TestCmd       string         `json:"test_cmd"`
	TestCmdSource string         `json:"test_cmd_source"`
	HeadCheck     *proc.Result   `json:"head_check"`
	Counts        task.Counts    `json:"counts"`
	CheckSeconds  *float64       `json:"validation_seconds"`
	Sealed        *bool          `json:"sealed,omitzero"`
	WhyOpen       string         `json:"sealed_why_not,omitzero"`
	Setups        setup.Counts   `json:"setups,omitzero"`
	Tasks         []mineJSONTask `json:"tasks"`
	Grading       *task.Grading  `json:"grading,omitzero"`
	Path          string         `json:"path,omitzero"`
	Dropped       []task.Dropped `json:"dropped,omitzero"` // for names that nothing gives
	Widened       []task.Window  `json:"widened,omitzero"`

	// Fair is by the tasks' ids: a task has the reference's members only, unless
	// single tests decide.
	Fair map[string]fair.Score `json:"fair,omitempty"`
}

type mineJSONTask struct {
	ID          string   `json:"id"`
	Commit      string   `json:"commit"`
	Subject     string   `json:"subject"`
	HiddenTests []string `json:"hidden_tests"`
	GoldFiles   []string `json:"gold_files"`
	GoldLines   int      `json:"gold_lines"`
	Validated   bool     `json:"validated"`

	HiddenInline []string `json:"hidden_inline,omitzero"` // source files whose tests inside are hidden

	FailToPass []string `json:"fail_to_pass,omitzero"` // where tests are graded by themselves
	PassToPass *int     `json:"pass_to_pass,omitzero"` // how many
	Known      []string `json:"known_failures,omitzero"`
	Flaky      []string `json:"flaky,omitzero"`
}

func mineSummary(doc *task.Document, tasks string) mineJSON {
	out := mineJSON{
		TasksFile: redact.Line(tasks, 300), Repo: redact.Line(doc.Repo, 300), Head: doc.Head, TestCmd: redact.Line(doc.TestCmd, 300),
		TestCmdSource: doc.TestCmdSource, HeadCheck: doc.HeadCheck, Counts: doc.Counts, CheckSeconds: doc.CheckSeconds,
		Sealed: doc.Sealed, WhyOpen: redact.Line(doc.WhyOpen, 300), Setups: doc.Setups, Tasks: []mineJSONTask{}, Fair: map[string]fair.Score{},
		Path: redact.Line(doc.Path, 200), Widened: doc.Widened,
	}
	for _, t := range doc.Tasks {
		one := mineJSONTask{
			ID: t.ID, Commit: t.Commit, Subject: redact.Line(t.Subject, 120), HiddenTests: safePaths(t.HiddenTests),
			GoldFiles: safePaths(t.GoldFiles), GoldLines: t.GoldLines, Validated: t.Validated,
		}
		if t.HiddenInline != nil {
			one.HiddenInline = safePaths(t.HiddenInline)
		}
		if g := t.Grade; g != nil {
			one.FailToPass, one.Known, one.Flaky, one.PassToPass = safePaths(g.FailToPass), safePaths(g.Known), safePaths(g.Flaky), new(len(g.PassToPass))
		}
		if t.Fair != nil {
			out.Fair[one.ID] = *safeScore(t.Fair)
		}
		out.Tasks = append(out.Tasks, one)
	}
	out.Grading = safeGrading(doc.Grading)
	for _, d := range doc.Dropped {
		out.Dropped = append(out.Dropped, task.Dropped{Commit: commitName(d.Commit), Names: safeNames(d.Names)})
	}
	return out
}

func safeGrading(g *task.Grading) *task.Grading {
	if g == nil || g.Head == nil {
		return g
	}
	safe, head := *g, *g.Head
	head.Failing, head.Broken = safePaths(head.Failing), safePaths(head.Broken)
	safe.Head = &head
	return &safe
}

func safePaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = redact.Line(p, 200)
	}
	return out
}
