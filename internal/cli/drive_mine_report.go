//go:build unix

package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkrein/internal/live"
	"checkrein/internal/redact"
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
	case checked > 0 && doc.Graded():
		return fmt.Sprintf("Found no usable tasks: none of %d checked commits has a test that fails before the change and passes after it.", checked)
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
