package grade_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/grade"
)

// TestTexts: what runners print where it is not as plain as in the recorded
// reports.
func TestTexts(t *testing.T) {
	tests := []struct {
		name   string
		format grade.Format
		text   string
		want   string
	}{
		{
			"minitest, tests in threads", grade.Minitest,
			"A#test_x = A#test_y = 0.00 s = .\n0.01 s = F\n\n  1) Failure:\nA#test_y [a.rb:1]:\nno\n\n2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n",
			"failed   \"A::test_y\"\npassed   \"A::test_x\"\n",
		},
		{
			"unittest without -v, no report of Automake's", grade.Auto,
			"..F\n======\nFAIL: test_red (tests.test_core.MathTest.test_red)\n------\nRan 3 tests in 0.000s\n\nFAILED (failures=1)\n", "",
		},
		{
			"minitest, tests in threads, and the end is missing", grade.Minitest,
			"A#test_x = A#test_y = 0.00 s = .\n0.01 s = .\n",
			"failed   \"A::test_x\"\nfailed   \"A::test_y\"\ncut\n",
		},
		{
			"minitest, a test prints lines", grade.Minitest,
			"A#test_x = one\ntwo = 2.00 s\n0.01 s = S\n\n1 runs, 0 assertions, 0 failures, 0 errors, 1 skips\n",
			"skipped  \"A::test_x\"\n",
		},
		{
			"minitest, the process died", grade.Minitest,
			"A#test_w = 0.00 s = .\nA#test_x = Segmentation fault\n",
			"failed   \"A::test_x\"\npassed   \"A::test_w\"\ncut\n",
		},
		{
			"ExUnit, the run was ended", grade.ExUnit,
			"ATest [test/a_test.exs]\n  * test x [L#1]\r  * test x (0.1ms) [L#1]\n\nBTest [test/b_test.exs]\n  * test x [L#1]\r  * test x (0.1ms) [L#1]\n  * test y [L#2]\n",
			"failed   \"BTest::test y\"\npassed   \"ATest::test x\"\ncut\n",
		},
		{"ExUnit, no project", grade.ExUnit, "** (Mix) Could not find a Mix.Project\n", "broken   \"could not compile\"\n"},
		{
			"go test -v, a test never ends", grade.GoText,
			"=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\nexit status 1\nFAIL\tm\t0.1s\n", "failed   \"m::TestB\"\npassed   \"m::TestA\"\n",
		},
		{"go test -v, no package was named", grade.GoText, "=== RUN   TestA\n--- PASS: TestA (0.00s)\n", "cut\n"},
		{"go test, all cached", grade.Auto, "ok  \tm\t(cached)\n", ""},
		// A linter that npm-run-all starts before the tests was taken for the only test.
		{"an error that is no test's", grade.Auto, "ERROR: \"lint\" exited with 1.\n", ""},
		{
			"unittest, a subtest is skipped before one fails", grade.Unittest,
			"test_a (m.M.test_a) ... \n  test_a (m.M.test_a) (i=0) ... skipped 'x'\n  test_a (m.M.test_a) (i=1) ... FAIL\n", "failed   \"m.M.test_a\"\n",
		},
		{
			"cargo, tests after a build", grade.Auto,
			strings.Repeat("   Compiling x v0.1.0\n", 4000) + "     Running unittests src/lib.rs (target/debug/deps/m-0123456789abcdef)\ntest a ... ok\n",
			"passed   \"m src/lib.rs::a\"\n",
		},
		{
			"Catch2 below make", grade.Auto,
			"make: Entering directory\n<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"m\"><testcase classname=\"m.global\" name=\"a\" time=\"0\"/></testsuite></testsuites>\nmake: Leaving directory\n",
			"passed   \"m.global::a\"\n",
		},
		{"a line without an end", grade.TAP, "1..2\nok 1 - a\nok 2 - b # SKI", "passed   \"a\"\ncut\n"},
		{"nothing", grade.Auto, "", ""},
		{"an empty suite", grade.Auto, "<testsuites/>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := grade.Parse(tt.format, strings.NewReader(tt.text))
			if diff := cmp.Diff(sorted(tt.want), sorted(show(got))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestOf: what two runners report is never one test.
func TestOf(t *testing.T) {
	var all grade.Results
	all.Merge(grade.Parse(grade.TAP, strings.NewReader("1..1\nok 1 - a\n")).Of("one"))
	all.Merge(grade.Parse(grade.TAP, strings.NewReader("1..1\nnot ok 1 - a\n")).Of("two"))
	if want, got := "passed   \"one::a\"\nfailed   \"two::a\"\n", show(all); got != want {
		t.Errorf("got %s", got)
	}
	for rest, want := range map[string]string{"": "", "-swift-testing": "", ".pytest.py312": "pytest", ".gtest": "gtest"} {
		if got := grade.Teller(rest); got != want {
			t.Errorf("%q: %q", rest, got)
		}
	}
}
