//go:build unix

package cli

import (
	"fmt"
	"strings"

	"checkrein/internal/live"
	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// checkGrading refuses flags that don't fit together.
func (f mineFlags) checkGrading() error {
	switch f.grading {
	case task.BySuite, task.ByTests, task.Auto:
	default:
		return bad("--grading is suite, tests or auto, not %s", redact.Line(f.grading, 40))
	}
	if f.reruns < 0 || f.reruns > 1000 {
		return bad("--reruns must be between 0 and 1000")
	}
	if f.report != "" && f.grading == task.BySuite {
		return bad("--report needs --grading tests or --grading auto")
	}
	if strings.HasPrefix(f.report, "/") || strings.HasPrefix(f.report, "..") {
		return bad("--report is a pattern from the repository's top folder, such as '**/surefire-reports/*.xml'")
	}
	return nil
}

// gradingError says why HEAD's report can't be graded by; nil for errors that
// have nothing to do with reports.
func gradingError(e *task.HeadError) error {
	const instead = "pass a --test-cmd whose runner checkrein knows, --report with a pattern of the reports that it writes, or --grading suite"
	switch e.Reason {
	case task.NoResults:
		return bad("the test command reports no single tests at HEAD: %s%s", instead, outputTail(e.Log))
	case task.Disagree:
		return bad("the test command fails at HEAD, and its report has no failing test (a coverage limit, a second command?): %s%s",
			instead, outputTail(e.Log))
	}
	return nil
}

// gradingReport says how tasks are graded; "" for by suite because nothing else
// was asked for.
func gradingReport(doc *task.Document) string {
	g := doc.Grading
	switch {
	case g == nil:
		return ""
	case g.By == task.BySuite:
		return fmt.Sprintf("Graded by the exit code of the whole suite, because of %s.\n\n", redact.Line(g.Reason, 160))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Graded by single tests, as %s reports them. At HEAD %d passed, %d failed, %d skipped.\n",
		redact.Line(g.Runner, 60), g.Head.Passed, g.Head.Failed, g.Head.Skipped)
	if bad := append(append([]string{}, g.Head.Failing...), g.Head.Broken...); len(bad) > 0 {
		fmt.Fprintf(&b, "Failing at HEAD, and left out where they fail with a task's change, too: %s.\n", namesInCode(bad, 10))
		if doc.Sealed != nil && *doc.Sealed {
			b.WriteString("If they need the network: behind the wall tests have it with --test-network only.\n")
		}
	}
	b.WriteString("\n")
	for _, t := range doc.Tasks {
		if t.Grade != nil {
			fmt.Fprintf(&b, "- %s: to be fixed: %s (%s); must keep passing: %d; known failures: %d; flaky: %d\n", t.ID[:7],
				live.Count(len(t.Grade.FailToPass), "test"), namesInCode(t.Grade.FailToPass, 3), len(t.Grade.PassToPass), len(t.Grade.Known), len(t.Grade.Flaky))
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n\n"
}

// namesInCode lists the first names, made safe.
func namesInCode(names []string, most int) string {
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, redact.Code(name, 120))
	}
	text := strings.Join(out, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
