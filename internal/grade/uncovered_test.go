package grade_test

import (
	"strings"
	"testing"

	"checkrein/internal/grade"
)

// semver's suite ended with 1 and no failure where a commit's tests leave lines out.
func TestTapEndsWithAnErrorForCodeThatNoTestReaches(t *testing.T) {
	const report = "TAP version 13\nok 1 - a\n1..1\n"
	one := 1
	for printed, want := range map[string]grade.Call{
		report: grade.Invalid,
		report + "ERROR: Coverage for lines (26.47%) does not meet global threshold (100%)\n": grade.Pass,
	} {
		r := grade.Run{Results: grade.Parse(grade.TAP, strings.NewReader(printed)), Exit: &one}
		if v := (grade.Split{FailToPass: []string{"a"}}).Judge(r); v.Call != want {
			t.Errorf("%q: %+v", printed, v)
		}
	}
}
