package drive_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/drive"
	"checkrein/internal/grade"
	"checkrein/internal/harness"
	"checkrein/internal/task"
	"checkrein/internal/trial"
	"checkrein/internal/untested"
)

// byTests is a bench with one task that is graded by tests. Its suite prints TAP:
// "fix" passes when src.txt says fixed, what more the script says is up to the
// test.
func byTests(t *testing.T, more string, split grade.Split) *bench {
	t.Helper()
	b := newBench(t, 1, harness.ClaudeCode)
	parent := b.git("rev-parse", "HEAD~1")
	b.git("checkout", "-q", "-B", "graded", parent)
	commit := b.commit(map[string]string{
		"src.txt": "fixed\n", "tests/check.sh": "if grep -q fixed src.txt; then echo ok 1 - fix; else echo not ok 1 - fix; bad=1; fi\n" + more + "\nexit ${bad:-0}\n",
	}, "Fix it by tests")
	b.grade(commit, parent, "tests/check.sh", split)
	b.Doc.Tasks[0].Grade.Plan.Format, b.Doc.Tasks[0].Grade.Plan.Env = grade.TAP, nil
	return b
}

func (b *bench) grade(commit, parent, hidden string, split grade.Split) {
	one := &b.Doc.Tasks[0]
	one.Commit, one.Parent, one.HiddenTests, one.GoldFiles = commit, parent, []string{hidden}, []string{"src.txt"}
	one.Grade = &task.Grade{Version: grade.Version, Plan: grade.Ask(b.Doc.TestCmd, grade.Repo{}), Split: split}
}

func (b *bench) oneGraded(script string) trial.Record {
	b.t.Helper()
	b.standIn("claude", script)
	_, records := b.run()
	if len(records) != 1 || records[0].Grade == nil {
		b.t.Fatalf("records %+v", records)
	}
	b.clean()
	return records[0]
}

func TestGradesByTests(t *testing.T) {
	fix := []string{"fix"}
	both := grade.Split{FailToPass: fix, PassToPass: []string{"kept"}}
	for _, tt := range []struct {
		name, more, agent string
		split             grade.Split
		want              string
		verdict           grade.Verdict
	}{
		{
			"a red suite", "echo not ok 2 - red; bad=1", "echo fixed >src.txt; done_",
			grade.Split{FailToPass: fix},
			trial.Passed,
			grade.Verdict{Call: grade.Pass, Fixed: 1, Of: 1, Tries: 2},
		},
		{
			"nothing done", "echo ok 2 - kept", "done_", both, trial.Failed,
			grade.Verdict{Call: grade.Fail, Reason: "0 of 1 tests of the fix pass, and 1 of 1 others that passed before", Failed: fix, Of: 1, Kept: 1, OfKept: 1, Tries: 1},
		},
		{
			"a test that is skipped", "echo ok 2 - kept \\# SKIP", "echo fixed >src.txt; done_", both, trial.Failed,
			grade.Verdict{Call: grade.Fail, Reason: "1 of 1 tests of the fix pass, and 0 of 1 others that passed before", Failed: []string{"kept"}, Fixed: 1, Of: 1, OfKept: 1, Tries: 2},
		},
		{
			"a test that is missing", "", "echo fixed >src.txt; done_", both, trial.Failed,
			grade.Verdict{Call: grade.Fail, Reason: "1 of 1 tests of the fix pass, and 0 of 1 others that passed before", Missing: []string{"kept"}, Fixed: 1, Of: 1, OfKept: 1, Tries: 2},
		},
		{
			"failures with exit code 0", "echo not ok 2 - nested", "echo fixed >src.txt; done_",
			grade.Split{FailToPass: fix},
			trial.Passed,
			grade.Verdict{Call: grade.Pass, Fixed: 1, Of: 1, Tries: 2},
		},
		{
			"an exit code without a failure", "bad=3", "echo fixed >src.txt; done_",
			grade.Split{FailToPass: fix},
			trial.Invalid,
			grade.Verdict{Call: grade.Invalid, Reason: "the tests ended with exit code 3 and reported no failure", Fixed: 1, Of: 1, Tries: 2},
		},
		{
			"no report of the agent's work alone", `grep -q fixed src.txt && echo ok 2 - kept || : >/dev/stdout`, "echo broken >src.txt; done_",
			both, trial.Failed,
			grade.Verdict{Call: grade.Fail, Reason: "the tests reported no results", Missing: []string{"fix", "kept"}, Of: 1, OfKept: 1, Tries: 1},
		},
		{ // agents had failed that had done their work
			"no report of the task's own change either", ": >/dev/stdout; exit 127", "echo fixed >src.txt; done_",
			both, trial.Invalid,
			grade.Verdict{Call: grade.Invalid, Reason: "the tests report no results, not even of the task's own change; does the test command still work here?", Missing: []string{"fix", "kept"}, Of: 1, OfKept: 1, Tries: 1},
		},
		{
			"a flaky test outside the fix", `[ -e "$HOME/ran" ] && echo ok 2 - kept || { echo not ok 2 - kept; bad=1; }; touch "$HOME/ran"`,
			"echo fixed >src.txt; done_", both, trial.Passed,
			grade.Verdict{Call: grade.Pass, Fixed: 1, Of: 1, Kept: 1, OfKept: 1, Tries: 3},
		},
		{
			"killed once", `[ -e "$HOME/ran" ] || { touch "$HOME/ran"; kill -9 $$; }`, "echo fixed >src.txt; done_",
			grade.Split{FailToPass: fix},
			trial.Passed,
			grade.Verdict{Call: grade.Pass, Fixed: 1, Of: 1, Tries: 3},
		},
		{
			"passes once", `[ ! -e "$HOME/ran" ] && echo ok 2 - kept || { echo not ok 2 - kept; bad=1; }; touch "$HOME/ran"`,
			"echo fixed >src.txt; done_", both, trial.Failed,
			grade.Verdict{Call: grade.Fail, Reason: "passed once, then not: 1 of 1 tests of the fix pass, and 0 of 1 others that passed before", Failed: []string{"kept"}, Fixed: 1, Of: 1, OfKept: 1, Tries: 4},
		},
		{
			"fails the second time only", `echo x >>"$HOME/ran"; [ $(wc -l <"$HOME/ran") != 2 ] && echo ok 2 - kept || { echo not ok 2 - kept; bad=1; }`,
			"echo fixed >src.txt; done_", both, trial.Passed,
			grade.Verdict{Call: grade.Pass, Fixed: 1, Of: 1, Kept: 1, OfKept: 1, Tries: 3},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := byTests(t, tt.more, tt.split)
			r := b.oneGraded(tt.agent)
			wantStatus(t, r, tt.want)
			if diff := cmp.Diff(tt.verdict, *r.Grade); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestNamesOfTestsAreInert: a name is text of the repository.
func TestNamesOfTestsAreInert(t *testing.T) {
	evil := "fix \x1b[31m<b>|`x`"
	b := byTests(t, "", grade.Split{FailToPass: []string{"fix", evil}})
	r := b.oneGraded("echo fixed >src.txt; done_")
	wantStatus(t, r, trial.Failed)
	if len(r.Grade.Missing) != 1 || strings.ContainsRune(r.Grade.Missing[0], 0x1b) {
		t.Errorf("%q", r.Grade.Missing)
	}
}

// Rows 1, 3, 4 and 7 of the table of attacks, with a real pytest.
func TestPytestThatReportsNothing(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // a version manager's python may lack what the system's has
	if exec.Command("python3", "-c", "import pytest").Run() != nil {
		untested.Here(t, "no pytest")
	}
	const fix = "printf 'def f():\\n    return 1\\n' >calc.py\n"
	for _, tt := range []struct{ name, agent, want string }{
		{"honest", fix, trial.Passed},
		{"nothing", "", trial.Failed},
		{"a pytest of its own", "echo 'import sys; sys.exit(0)' >pytest.py", trial.Failed},
		{"leaves on import", "printf 'import os, sys\\nif \"pytest\" in sys.modules: os._exit(0)\\n' >calc.py", trial.Failed},
		{"ignores the test", "printf '[tool.pytest.ini_options]\\naddopts = \"--ignore=tests/test_calc.py\"\\n' >pyproject.toml", trial.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 1, harness.ClaudeCode)
			b.Doc.TestCmd = "python3 -m pytest -q"
			parent := b.commit(map[string]string{"calc.py": "def f():\n    return 0\n", "tests/test_red.py": "def test_red():\n    assert 0\n"}, "Parent")
			commit := b.commit(map[string]string{"calc.py": "def f():\n    return 1\n", "tests/test_calc.py": "import calc\n\ndef test_f():\n    assert calc.f() == 1\n"}, "Fix")
			b.grade(commit, parent, "tests/test_calc.py", grade.Split{FailToPass: []string{"tests.test_calc::test_f"}})
			wantStatus(t, b.oneGraded(tt.agent+"\ndone_"), tt.want)
		})
	}
}

func TestRefusesTasksThatItCannotGrade(t *testing.T) {
	for _, tt := range []struct {
		change func(*task.Task)
		asked  string
		want   string
	}{
		{func(one *task.Task) { one.Grade = nil }, task.ByTests, "no tests to grade by"},
		{func(*task.Task) {}, task.BySuite, "is graded by tests"},
		{func(one *task.Task) { one.Grade.Version = grade.Version + 1 }, "", "newer checkrein"},
	} {
		b := byTests(t, "", grade.Split{FailToPass: []string{"fix"}})
		tt.change(&b.Doc.Tasks[0])
		o := b.options()
		o.Grading = tt.asked
		_, err := drive.Run(t.Context(), o)
		if input := (drive.BadInput{}); !errors.As(err, &input) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("want %q, got %v", tt.want, err)
		}
	}
}
