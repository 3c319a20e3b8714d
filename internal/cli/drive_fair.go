//go:build unix

package cli

import (
	"fmt"
	"strings"

	"checkrein/internal/drive"
	"checkrein/internal/fair"
	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// fairWord is how fair a task is, in a table.
func fairWord(t task.Task) string {
	if t.Fair == nil {
		return "–"
	}
	return redact.Line(t.Fair.Word, 20)
}

// doubts are what speaks against a task, made safe.
func doubts(t task.Task) string {
	if t.Fair == nil {
		return ""
	}
	var out []string
	for _, why := range t.Fair.Reasons {
		out = append(out, redact.Line(why, 200))
	}
	return strings.Join(out, "; ")
}

// fairReport says which tasks are doubtful, which names their prompts give, and
// what was left out for such names.
func fairReport(doc *task.Document) string {
	var b strings.Builder
	for _, t := range doc.Tasks {
		if t.Fair != nil && t.Fair.Word != fair.Good {
			fmt.Fprintf(&b, "- %s is %s: %s\n", t.ID[:7], fairWord(t), doubts(t))
		}
	}
	for _, d := range doc.Dropped {
		fmt.Fprintf(&b, "- %s is left out: its tests use names that nothing gives: %s\n", shortCommit(d.Commit), nameList(d.Names))
	}
	if len(doc.Dropped) > 0 {
		b.WriteString("\nWith --hints such commits are kept, and their prompts give those names.\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return strings.TrimRight(b.String(), "\n") + "\n\n"
}

// commitName is a commit's id as it is, or, in a file that somebody made up, made safe.
func commitName(id string) string {
	if strings.Trim(id, "0123456789abcdef") == "" {
		return id
	}
	return redact.Line(id, 80)
}

func shortCommit(id string) string {
	if id != commitName(id) {
		return redact.Line(id, 10)
	}
	return id[:min(len(id), 7)]
}

func nameList(names []fair.Name) string {
	const most = 8
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, redact.Code(n.Name, 80)+" ("+redact.Code(n.File, 120)+")")
	}
	if more := len(names) - most; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

func safeScore(s *fair.Score) *fair.Score {
	if s == nil {
		return nil
	}
	safe := *s
	if safe.Word, safe.Names = redact.Line(s.Word, 20), safeNames(s.Names); s.Reasons != nil {
		safe.Reasons = safePaths(s.Reasons)
	}
	return &safe
}

func safeNames(names []fair.Name) []fair.Name {
	var out []fair.Name
	for _, n := range names {
		out = append(out, fair.Name{Name: redact.Line(n.Name, 100), File: redact.Line(n.File, 200)})
	}
	return out
}

// rejectedLine says how many tasks are not run because somebody rejected them; ""
// for none.
func rejectedLine(doc task.Document) string {
	n := drive.Rejected(doc)
	if n == 0 {
		return ""
	}
	return "Left out: " + live.Count(n, "rejected task") + " (checkrein drive tasks list).\n"
}
