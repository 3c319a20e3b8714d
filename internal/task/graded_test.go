package task

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/untested"
)

func byTests(o *Options) { o.Grading, o.Reruns = ByTests, 3 }

// wanted is what must become of one commit: the tests that tell, or the reason
// against it.
type wanted struct {
	commit, reason string
	tests          []string
}

func (h *history) checkGraded(doc *Document, all []wanted, kept ...string) {
	h.t.Helper()
	rejected := map[string]int{}
	for _, w := range all {
		if w.reason != "" {
			rejected[w.reason]++
			continue
		}
		i := slices.IndexFunc(doc.Tasks, func(t Task) bool { return t.Commit == w.commit })
		if i < 0 {
			h.t.Errorf("%s (%v) is not kept", w.commit[:7], w.tests)
			continue
		}
		g := doc.Tasks[i].Grade
		if diff := cmp.Diff(w.tests, g.FailToPass); diff != "" {
			h.t.Errorf("%s, tests that tell (-want +got):\n%s", doc.Tasks[i].Subject, diff)
		}
		for _, name := range kept {
			if !slices.Contains(g.PassToPass, name) && !slices.Contains(g.FailToPass, name) {
				h.t.Errorf("%s: %s must go on passing; got %v", doc.Tasks[i].Subject, name, g.PassToPass)
			}
		}
	}
	if diff := cmp.Diff(rejected, doc.Counts.Rejected); diff != "" {
		h.t.Errorf("rejected (-want +got):\n%s", diff)
	}
}

// tools skips a test where a runner is not installed. In CI that is a failure:
// there everything runs.
func tools(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			untested.Here(t, "no "+p)
		}
	}
}

const goHead = "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Args\n\n"

// goTests is a test file: whatever the version, with a test that always fails,
// one that is skipped, and one that runs failing tests of its own.
func goTests(more string) string {
	return goHead + more + `
func TestKept(t *testing.T) { t.Run("sub", func(t *testing.T) {}) }

func TestRed(t *testing.T) { t.Fatal("not here") }

func TestSkipped(t *testing.T) { t.Skip() }

func TestNested(t *testing.T) {
	testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "Inner", F: func(t *testing.T) { t.Fail() }}})
}
`
}

func TestGradesGoByTests(t *testing.T) {
	tools(t, "go")
	h := newHistory(t)
	test := func(name, body string) string { return "func " + name + "(t *testing.T) {\n" + body + "\n}\n\n" }
	add := test("TestAdd", "\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}")
	source := "package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Div(a, b int) int { return a / b }\n"
	h.commit("Start", map[string]string{"go.mod": "module calc\n\ngo 1.24\n", "calc.go": source, "calc_test.go": goTests(add)})

	// The package of the parent does not build with the hidden test.
	source += "\nfunc Sub(a, b int) int { return a - b }\n"
	sub := test("TestSub", "\tt.Run(\"x y\", func(t *testing.T) {\n\t\tif Sub(3, 2) != 1 {\n\t\t\tt.Fatal()\n\t\t}\n\t})")
	hidden := h.commit("Sub", map[string]string{"calc.go": source, "calc_test.go": goTests(add + sub)})

	// An old test has a new body, and nothing builds before.
	source += "\nfunc Neg(a int) int { return -a }\n"
	add = test("TestAdd", "\tif Add(1, Neg(-2)) != 3 {\n\t\tt.Fatal()\n\t}")
	changed := h.commit("Neg", map[string]string{"calc.go": source, "calc_test.go": goTests(add + sub)})

	// A panic hides what comes after it.
	source = strings.Replace(source, "{ return a / b }", "{\n\tif b == 0 {\n\t\treturn 0\n\t}\n\treturn a / b\n}", 1)
	div := test("TestDiv", "\tif Div(1, 0) != 0 {\n\t\tt.Fatal()\n\t}")
	panics := h.commit("Div", map[string]string{"calc.go": source, "calc_test.go": goTests(add + sub + div)})

	// It passes in the first run with the change only.
	source += "\nfunc Flaky() {}\n"
	flaky := test("TestFlaky", "\tFlaky()\n\tif _, err := os.Stat(\"ran\"); err == nil {\n\t\tt.Fatal()\n\t}\n\tos.WriteFile(\"ran\", nil, 0o666)")
	h.commit("Flaky", map[string]string{"calc.go": source, "calc_test.go": goTests(add + sub + div + flaky)})

	// Nothing tells it from its parent.
	h.commit("Refactor", map[string]string{"calc.go": source + "\nfunc more() {}\n", "calc_test.go": goTests(add+sub+div) + "\nfunc TestMore(t *testing.T) {}\n"})

	doc, err := h.mine(func(o *Options) {
		byTests(o)
		o.TestCmd, o.Max, o.Env = "go test ./...", 6, goEnv(o.Env)
	})
	if err != nil {
		t.Fatal(err)
	}
	h.checkGraded(doc, []wanted{
		{commit: hidden, tests: []string{"calc::TestSub", "calc::TestSub/x_y"}},
		{commit: changed, tests: []string{"calc::TestAdd"}},
		{commit: panics, tests: []string{"calc::TestDiv"}},
		{reason: Flaky},
		{reason: NoTelling},
		{reason: NothingGives}, // "Start" does not say Add
	}, "calc::TestAdd", "calc::TestKept", "calc::TestKept/sub", "calc::TestNested")
	if head := doc.Grading.Head; doc.Grading.By != ByTests || !slices.Contains(head.Failing, "calc::TestRed") || head.Skipped != 1 {
		t.Errorf("HEAD: %+v", doc.Grading)
	}
	for _, task := range doc.Tasks {
		if !slices.Contains(task.Grade.Known, "calc::TestRed") || slices.Contains(task.Grade.PassToPass, "calc::TestSkipped") {
			t.Errorf("%s: %+v", task.Subject, task.Grade.Split)
		}
	}
}

// TestPanicThatStaysHidesNoFix: tests behind it in their package tell all the same,
// and those of a package that does not build are not called flaky.
func TestPanicThatStaysHidesNoFix(t *testing.T) {
	tools(t, "go")
	h := newHistory(t)
	source := "package calc\n\nfunc One() int { return 2 }\n\nfunc Two() int { return 1 }\n"
	head := "package calc\n\nimport \"testing\"\n\nfunc TestDies(t *testing.T) { panic(1) }\n\nfunc TestDiesToo(t *testing.T) { t.Run(\"x\", func(t *testing.T) { panic(1) }) }\n\nfunc TestKept(t *testing.T) {}\n"
	one := "\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fatal()\n\t}\n}\n"
	two := "\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal()\n\t}\n}\n"
	h.commit("Start", map[string]string{"go.mod": "module calc\n\ngo 1.24\n", "calc.go": source, "calc_test.go": head, "other/o.go": "package other\n"})
	source = strings.Replace(source, "return 2", "return 1", 1)
	fix := h.commit("One", map[string]string{"calc.go": source, "calc_test.go": head + one})
	source = strings.Replace(source, "Two() int { return 1", "Two() int { return 2", 1)
	h.commit("Two", map[string]string{"calc.go": source, "calc_test.go": head + one + two + "\nvar _ = Three\n", "other/o_test.go": "package other\n\nimport \"testing\"\n\nfunc TestO(t *testing.T) {}\n"})
	// Not flaky, though a test elsewhere has another name in each run.
	h.commit("Two again", map[string]string{"calc.go": source + "\n// Two is 2.\n", "calc_test.go": head + one + two + "\nvar _ = Three\n\n// It is 2.\n", "other/o_test.go": "package other\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestO(t *testing.T) { t.Run(time.Now().String(), func(t *testing.T) {}) }\n"})
	h.commit("Three", map[string]string{"calc.go": source + "\nfunc Three() {}\n"})

	doc, err := h.mine(func(o *Options) {
		byTests(o)
		o.TestCmd, o.Max, o.Env = "go test ./...", 6, goEnv(o.Env)
	})
	if err != nil {
		t.Fatal(err)
	}
	h.checkGraded(doc, []wanted{{commit: fix, tests: []string{"calc::TestOne"}}, {reason: NotLoaded}, {reason: NotLoaded}}, "calc::TestKept")
	for _, task := range doc.Tasks {
		if known := []string{"calc::TestDies", "calc::TestDiesToo"}; !slices.Equal(task.Grade.Known, known) {
			t.Errorf("known failures %v, want %v; %s", task.Grade.Known, known, task.Grade.Plan.Line)
		}
	}
}

// goEnv has the build cache of whoever runs the tests, where Go finds it by HOME.
func goEnv(env []string) []string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return env
	}
	return append(env, "GOCACHE="+strings.TrimSpace(string(out)), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
}

func TestGradesNodeByTests(t *testing.T) {
	tools(t, "node", "npm")
	h := newHistory(t)
	const top = "const { test, describe, it } = require('node:test'); const assert = require('node:assert');\nconst m = require('../src/m.js');\n"
	const red = "test('red', () => { assert.fail() });\ntest('later', { skip: true }, () => {});\n"
	h.commit("Start", map[string]string{
		"package.json": `{"scripts": {"test": "node --test test/"}}`, "src/m.js": "exports.one = () => 1;\n",
		"test/m.test.js": top + red + "test('one', () => { assert.equal(m.one(), 1) });\n",
	})
	fix := h.commit("Two", map[string]string{
		"src/m.js":       "exports.one = () => 1;\nexports.two = (n) => 2 * n;\n",
		"test/m.test.js": top + red + "test('one', () => { assert.equal(m.one(), 1) });\ndescribe('two', () => {\n  for (const n of [1, 2]) it(`of ${n}`, () => { assert.equal(m.two(n), 2 * n) });\n});\n",
	})
	h.commit("No change", map[string]string{
		"src/n.js": "1;\n", "test/n.test.js": "require('node:test').test('nothing', () => {});\n",
	})
	doc, err := h.mine(func(o *Options) { byTests(o); o.TestCmd = "npm test" })
	if err != nil {
		t.Fatal(err)
	}
	h.checkGraded(doc, []wanted{{commit: fix, tests: []string{"two::of 1", "two::of 2"}}, {reason: NoTelling}, {reason: NothingGives}}, "one")
	if doc.Grading.Runner != "node:test" || doc.Grading.Head.Failed != 1 {
		t.Errorf("%+v", doc.Grading)
	}
}

func TestGradesPytestByTests(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // a version manager's python may lack what the system's has
	tools(t, "python3")
	if exec.Command("python3", "-c", "import pytest").Run() != nil {
		untested.Here(t, "no pytest")
	}
	h := newHistory(t)
	const red = "import pytest\nimport m\n\ndef test_red():\n    assert False\n\n"
	h.commit("Start", map[string]string{
		"conftest.py": "", "m.py": "def one(n):\n    return 1\n", "tests/test_m.py": red + "def test_one():\n    assert m.one(1) == 1\n",
	})
	fix := h.commit("Answer n", map[string]string{
		"m.py":            "def one(n):\n    return n\n",
		"tests/test_m.py": red + "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_n(n):\n    assert m.one(n) == n\n\ndef test_one():\n    assert m.one(1) == 1\n",
	})
	loads := h.commit("New name", map[string]string{
		"m.py":            "def one(n):\n    return n\n\nclass New:\n    pass\n",
		"tests/test_m.py": red + "from m import New\n\ndef test_new():\n    New()\n\ndef test_one():\n    assert m.one(1) == 1\n",
	})
	doc, err := h.mine(func(o *Options) { byTests(o); o.TestCmd = "python3 -m pytest -q" })
	if err != nil {
		t.Fatal(err)
	}
	h.checkGraded(doc, []wanted{
		{commit: fix, tests: []string{"tests.test_m::test_n[2]", "tests.test_m::test_n[3]"}},
		{commit: loads, tests: []string{"tests.test_m::test_new"}},
		{reason: NothingGives}, // "Start" does not say one
	}, "tests.test_m::test_one")
}

// TestAutoFallsBack: a suite that reports no tests is graded as a whole.
func TestAutoFallsBack(t *testing.T) {
	h := newHistory(t)
	fix := h.fix("one")
	doc, err := h.mine(func(o *Options) { o.Grading, o.Reruns = Auto, 1 })
	if err != nil {
		t.Fatal(err)
	}
	if doc.Graded() || doc.Grading.By != BySuite || !strings.Contains(doc.Grading.Reason, NoResults) {
		t.Errorf("%+v", doc.Grading)
	}
	if len(doc.Tasks) != 1 || doc.Tasks[0].Commit != fix || doc.Tasks[0].Grade != nil {
		t.Errorf("%+v", doc.Tasks)
	}
	_, err = h.mine(byTests)
	if head := (*HeadError)(nil); !asHead(err, &head) || head.Reason != NoResults {
		t.Errorf("with --grading tests: %v", err)
	}
}

func asHead(err error, head **HeadError) (ok bool) {
	*head, ok = err.(*HeadError)
	return ok
}

// TestReportPattern: reports that the command writes into the copy count, and
// those of an earlier run don't.
func TestReportPattern(t *testing.T) {
	h := newHistory(t)
	const run = `mkdir -p out/deep; for t in tests/*_test.sh; do n=$(basename $t); ` +
		`if sh $t; then r=; else r="<failure/>"; bad=1; fi; ` +
		`echo "<testsuite><testcase classname='sh' name='$n'>$r</testcase></testsuite>" > out/deep/$n.xml; done; exit ${bad:-0}`
	h.commit("Old report", map[string]string{"out/deep/old.xml": "<testsuite><testcase name='stale'/></testsuite>", "tests/red_test.sh": "false\n"})
	fix := h.fix("one")
	doc, err := h.mine(func(o *Options) { byTests(o); o.TestCmd, o.Report = run, "out/**/*.xml" })
	if err != nil {
		t.Fatal(err)
	}
	h.checkGraded(doc, []wanted{{commit: fix, tests: []string{"sh::one_test.sh"}}}, "sh::a_test.sh")
	if doc.Grading.Head.Passed != 2 || doc.Grading.Head.Failed != 1 {
		t.Errorf("%+v", doc.Grading.Head)
	}
}
