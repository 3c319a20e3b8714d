package grade_test

import (
	"regexp"
	"strings"
	"testing"

	"checkrein/internal/grade"
)

// What a runner is asked for is the same, whether a plan or the script gives it its
// flags.
func TestPreloadAsksWhatPlansAsk(t *testing.T) {
	for _, runner := range []string{"jest", "vitest", "mocha"} {
		plan := grade.Ask(runner, grade.Repo{})
		_, own, _ := strings.Cut(string(grade.PreloadText), "const "+runner+" = {")
		own, _, _ = strings.Cut(own, "\n}")
		for _, flag := range regexp.MustCompile(`--[a-z.-]+(=(false|json|[0-9]+))?`).FindAllString(plan.Line, -1) {
			flag = strings.TrimSuffix(flag, ".")
			if flag != "--run" && !strings.Contains(own, "'"+flag) {
				t.Errorf("%s gets %q in %q and not by the script", runner, flag, plan.Line)
			}
		}
	}
}
