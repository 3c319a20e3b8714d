package board

import (
	"fmt"
	"strings"

	"checkrein/internal/grade"
	"checkrein/internal/redact"
)

// failedTests lists, by task and harness, the tests that did not pass. Tasks
// that the whole suite decided have none to list.
func (b Board) failedTests() string {
	var list strings.Builder
	for _, t := range b.Tasks {
		for _, r := range b.Rows {
			if v := t.Results[r.Variant].Tests; v != nil && v.Call != grade.Pass {
				fmt.Fprintf(&list, "- %s, %s: %s\n", redact.Code(t.Task[:min(len(t.Task), 7)], 40), r.shown, failedOf(*v))
			}
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return "Tests that did not pass:\n\n" + list.String()
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
