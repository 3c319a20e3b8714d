package board

import (
	"fmt"
	"slices"
	"strings"

	"checkrein/internal/grade"
	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// failedTests lists, by task and harness, the tests that did not pass. Where the
// whole suite decides there are none to list.
func (b Board) failedTests() string {
	if !b.graded() {
		return ""
	}
	var list strings.Builder
	for _, t := range b.Tasks {
		for _, r := range b.Rows {
			if why := notPassed(t.Results[r.Variant]); why != "" {
				fmt.Fprintf(&list, "- %s, %s: %s\n", redact.Code(t.Task[:min(len(t.Task), 7)], 40), r.shown, why)
			}
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return "Tests that did not pass:\n\n" + list.String()
}

// graded tells whether single tests decided anything.
func (b Board) graded() bool {
	return slices.ContainsFunc(b.Tasks, func(t Task) bool {
		for _, r := range t.Results {
			if r.Tests != nil {
				return true
			}
		}
		return false
	})
}

// notPassed is why a result is no pass: its tests, or what kept them from being
// run, such as changes that no longer apply.
func notPassed(r Result) string {
	switch {
	case r.Tests != nil && r.Tests.Call != grade.Pass:
		return failedOf(*r.Tests)
	case r.Tests == nil && r.Status == trial.Failed && r.Error != "":
		return redact.Code(r.Error, 160)
	}
	return ""
}

func failedOf(v grade.Verdict) string {
	var parts []string
	if v.Reason != "" {
		parts = append(parts, redact.Code(v.Reason, 160))
	}
	for _, kind := range []struct {
		what  string
		names []string
	}{{"failed", v.Failed}, {"not reported", v.Missing}, {"must fail, and passed", v.Forged}} {
		if len(kind.names) > 0 {
			parts = append(parts, kind.what+" "+inCode(kind.names))
		}
	}
	if v.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", v.More))
	}
	return strings.Join(parts, "; ")
}

func inCode(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = redact.Code(name, 160)
	}
	return strings.Join(out, ", ")
}
