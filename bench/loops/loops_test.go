package main

import (
	"os"
	"strings"
	"testing"
)

// TestThePageIsTrue plays everything again: no rule stops ordinary work, each
// stops its loop in time, the replay and the hook agree, and the page says so.
func TestThePageIsTrue(t *testing.T) {
	page, faults, err := prove(t.TempDir(), "../../internal/harness")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
	written, err := os.ReadFile("../../docs/LOOPS.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != page {
		t.Errorf("docs/LOOPS.md is out of date: go run ./bench/loops\n%s", firstDifference(string(written), page))
	}
}

func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return "page: " + left[i] + "\nnow:  " + right[i]
		}
	}
	return "one is longer"
}

// TestALoopThatIsMissedIsAFault: the proof itself can fail.
func TestALoopThatIsMissedIsAFault(t *testing.T) {
	l := loop{name: "x", rule: "loop_repeats", limit: 3}
	for _, c := range []struct {
		name  string
		stops []stop
		fault bool
	}{
		{"in time", []stop{{"loop_repeats", warmUp + 3, 0}}, false},
		{"missed", nil, true},
		{"late", []stop{{"loop_repeats", warmUp + 4, 0}}, true},
		{"another rule", []stop{{"loop_cycles", warmUp + 3, 0}}, true},
		{"two rules", []stop{{"loop_repeats", warmUp + 3, 0}, {"loop_cycles", warmUp + 6, 0}}, true},
	} {
		if _, fault := l.judge(c.stops, "codex"); (fault != nil) != c.fault {
			t.Errorf("%s: %v", c.name, fault)
		}
	}
}
