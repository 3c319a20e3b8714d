//go:build unix

package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"checkrein/internal/fair"
	"checkrein/internal/live"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/setup"
	"checkrein/internal/task"
)

// mineReport is the Markdown report of mining.
func mineReport(doc *task.Document, tasks string) string {
	since := sinceText(doc.Since)
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", mineHeadline(doc, since))
	fmt.Fprintf(&b, "Test command: %s (%s).", redact.Code(doc.TestCmd, 200), redact.Line(doc.TestCmdSource, 160))
	if doc.HeadCheck != nil && !doc.Graded() {
		fmt.Fprintf(&b, " It passes at HEAD in %s.", live.Duration(doc.HeadCheck.Seconds))
	}
	b.WriteString("\n\n")
	mineTable(&b, doc.Tasks)
	b.WriteString(gradingReport(doc))
	b.WriteString(fairReport(doc))
	mineCounts(&b, doc, since)
	fmt.Fprintf(&b, "\nTasks file: %s\n", redact.Code(tasks, 300))
	if len(doc.Tasks) > 0 && doc.Counts.Checked > 0 {
		fmt.Fprintf(&b, "Next: %s shows the number of runs and a cost range.\n", redact.Code("checkrein drive estimate --tasks "+tasks, 330))
	}
	return b.String()
}

func sinceText(text string) string {
	since, _ := task.Since(text) // was parsed before the history was read
	return cmp.Or(since, "the first commit")
}

func mineHeadline(doc *task.Document, since string) string {
	n, checked := len(doc.Tasks), doc.Counts.Checked
	switch {
	case n > 0 && doc.Graded():
		return fmt.Sprintf("Found %s in your git history: %d of %d checked commits have tests that fail before the change and pass after it.",
			live.Count(n, "task"), doc.Counts.Validated, checked)
	case n > 0 && checked > 0:
		return fmt.Sprintf("Found %s in your git history: %d of %d checked commits fail their tests before the change and pass after it, twice.",
			live.Count(n, "task"), doc.Counts.Validated, checked)
	case n > 0:
		return fmt.Sprintf("Found %s in your git history. None is checked yet: run again with --validate to keep only tasks whose tests "+
			"fail before the change and pass after it.", live.Count(n, "candidate task"))
	case checked > 0:
		return fmt.Sprintf("Found no usable tasks: none of %d checked commits fails its tests before the change and passes after it, twice.", checked)
	}
	return fmt.Sprintf("Found no candidate tasks in your git history since %s.", since)
}

func mineTable(b *strings.Builder, tasks []task.Task) {
	if len(tasks) == 0 {
		return
	}
	b.WriteString("| # | Task | Change | Hidden test files | Lines in the original fix | Checked | Fair |\n|---|---|---|---|---|---|---|\n")
	for i, t := range tasks {
		checked := "no"
		if t.Validated {
			checked = "yes"
		}
		fmt.Fprintf(b, "| %d | %s | %s | %d | %d | %s | %s |\n", i+1, t.ID[:7], redact.Code(t.Subject, 70), len(t.HiddenTests)+len(t.HiddenInline), t.GoldLines, checked, fairWord(t))
	}
	b.WriteString("\n")
}

func mineCounts(b *strings.Builder, doc *task.Document, since string) {
	c := doc.Counts
	if len(doc.Widened) > 0 {
		at, _ := time.Parse(time.RFC3339, doc.Created)
		fmt.Fprintf(b, "%s.\n", live.WidenedTo(doc.Widened[0], doc.Since, at))
	}
	fmt.Fprintf(b, "History since %s: %d commits, %d change both source and test files%s.", since, c.Commits, c.Candidates, below(doc.Path))
	if len(c.Skipped) > 0 {
		fmt.Fprintf(b, " Skipped: %s.", counted(c.Skipped))
	}
	b.WriteString("\n")
	if c.Checked == 0 {
		return
	}
	fmt.Fprintf(b, "Checked %d in fresh copies of the repository: %d kept", c.Checked, c.Validated)
	if len(c.Rejected) > 0 {
		fmt.Fprintf(b, ", %s", counted(c.Rejected))
	}
	fmt.Fprintf(b, ". Checking took %s.\n", live.Duration(*doc.CheckSeconds))
	if n := doc.Setups.Reused; n > 0 {
		fmt.Fprintf(b, "The setup command ran in %d of %d copies; the others got what it had left.\n", doc.Setups.Run, doc.Setups.Run+n)
	}
	switch {
	case doc.Sealed == nil:
	case *doc.Sealed:
		b.WriteString("sealed: yes\n")
	default:
		fmt.Fprintf(b, "sealed: no, because %s\n", redact.Line(doc.WhyOpen, 300))
	}
}

func below(path string) string {
	if path == "" {
		return ""
	}
	return " in " + redact.Code(path, 200)
}

// counted lists reasons, the most frequent first.
func counted(counts map[string]int) string {
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%d %s", counts[reason], reason)
	}
	return strings.Join(reasons, ", ")
}

// tailBytes is how much of a log is read to show its last lines.
const tailBytes = 64 << 10

// outputTail is the last 15 lines of a log, made safe, and where the rest is.
func outputTail(log string) string {
	f, err := os.Open(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > tailBytes {
		_, _ = f.Seek(-tailBytes, io.SeekEnd) // at worst the first lines are shown
	}
	data, _ := io.ReadAll(io.LimitReader(f, tailBytes))
	var lines []string
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, "  "+redact.Code(string(line), 200))
		}
	}
	if len(lines) == 0 {
		lines = []string{"  (no output)"}
	}
	return fmt.Sprintf("\nLast lines of its output:\n%s\nFull output: %s", strings.Join(lines[max(len(lines)-15, 0):], "\n"), redact.Code(log, 300))
}

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
