package grade_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/grade"
)

// results reads "name=p" words: p passed, f failed, s skipped, e errored.
func results(text string) grade.Results {
	r := grade.Results{Tests: map[string]grade.Test{}}
	for part := range strings.FieldsSeq(text) {
		name, status, _ := strings.Cut(part, "=")
		r.Tests[name] = grade.Test{Status: map[string]grade.Status{"p": grade.Passed, "f": grade.Failed, "s": grade.Skipped, "e": grade.Errored}[status]}
	}
	return r
}

func TestSplit(t *testing.T) {
	const all = "fixed=p new=p kept=p red=f collateral=p changed=p skipped=s newpass=p"
	s := grade.Sides{
		Base: results("fixed=p kept=p red=f collateral=p changed=p skipped=s"),
		Red:  results("fixed=f kept=p red=f skipped=s newpass=p"),
		Gold: results(all), Touched: results(all),
		Alone: func(name string) bool { return name == "changed" },
	}
	got := s.Split()
	want := grade.Split{
		FailToPass: []string{"changed", "fixed", "new"}, PassToPass: []string{"collateral", "kept"}, Known: []string{"red"}, Flaky: []string{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	got.Drop(results("fixed=f kept=s changed=p new=p"), false)
	got.DropFixed(results("new=p"))
	want = grade.Split{FailToPass: []string{"changed"}, PassToPass: []string{"collateral"}, Known: []string{"red"}, Flaky: []string{"fixed", "kept", "new"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Drop(results("changed=p"), true); len(got.PassToPass) != 0 {
		t.Errorf("a test that a whole run lacks is not flaky: %v", got)
	}
}

func TestJudge(t *testing.T) {
	split := grade.Split{FailToPass: []string{"a", "b"}, PassToPass: []string{"c"}, Known: []string{"red"}}
	tests := []struct {
		results string
		exit    int
		want    grade.Call
	}{
		{"a=p b=p c=p", 0, grade.Pass},
		{"a=p b=p c=p red=f", 1, grade.Pass},
		{"a=p b=p c=p red=f", 0, grade.Pass}, // nested suites
		{"a=p b=p c=p", 1, grade.Invalid},
		{"a=p b=s c=p", 0, grade.Fail},
		{"a=p c=p", 0, grade.Fail},
		{"a=p b=p", 0, grade.Fail},
		{"a=p b=p c=f", 1, grade.Fail},
		{"a=p b=p c=s", 0, grade.Fail},
		{"", 0, grade.Fail},
		{"", 1, grade.Fail},
		{"a=p", -9, grade.Invalid},
		{"a=f", -9, grade.Fail},
	}
	for _, tt := range tests {
		v := split.Judge(grade.Run{Results: results(tt.results), Exit: &tt.exit})
		if v.Call != tt.want || (v.Reason == "") != (v.Call == grade.Pass) {
			t.Errorf("%q exit %d: %s (%s), want %s", tt.results, tt.exit, v.Call, v.Reason, tt.want)
		}
	}
	if v := split.Judge(grade.Run{Results: results("a=p b=p c=p")}); v.Call != grade.Fail {
		t.Errorf("a run that was ended early: %s", v.Call)
	}
	zero := 0
	if v := (grade.Split{}).Judge(grade.Run{Results: results("x=p"), Exit: &zero}); v.Call != grade.Fail {
		t.Errorf("a task without tests that tell: %s", v.Call)
	}
}

func TestBody(t *testing.T) {
	const old = "package x\n\nfunc TestA(t *testing.T) {\n\tone()\n}\n\nfunc TestAB(t *testing.T) {\n\ttwo()\n}\n"
	for _, tt := range []struct{ name, file, want string }{
		{"m/x::TestA/sub", old, "func TestA(t *testing.T) {\n\tone()\n}\n"},
		{"m/x::TestAB", old, "func TestAB(t *testing.T) {\n\ttwo()\n}\n"},
		{"tests.t::test_a[1]", "def test_a():\n    x\n\n    y\ndef test_b():\n    z\n", "def test_a():\n    x\n\n    y\n"},
		{"a.test.js::g > it works", "test('it works', () => {\n  x()\n})\nmore()\n", "test('it works', () => {\n  x()\n})\n"},
		{"x::TestNone", old, ""},
		{"t::test_b", "def test_b():\n    z\n\n\n@parametrize\ndef test_c():\n    y\n", "def test_b():\n    z\n"}, // as where it was the file's last
		{"x src/lib.rs::tests::a", "mod tests {\n    fn a() {}\n}\n", "    fn a() {}\n"},
	} {
		if got := grade.Body(tt.file, tt.name); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestStableNames(t *testing.T) {
	for text, want := range map[string]string{
		`<testsuite><testcase classname="a" name="f[&lt;T object at 0x7f0011223344&gt;]"/></testsuite>`: "a::f[<T object at 0x…>]",
		`<testsuite><testcase classname="a" name="f[0x1f /copy/x]"/></testsuite>`:                       "a::f[0x1f x]",
		`<testsuite><testcase name="T/E((func()_int)(0x665bc0),_0xff00ff,_f(0x10ffff))"/></testsuite>`:  "T/E((func()_int)(0x…),_0xff00ff,_f(0x10ffff))",
		"<testsuite><testcase name='a\x1b[0m\x00'/></testsuite>":                                        "a?[0m?",
	} {
		r := grade.Parse(grade.JUnit, strings.NewReader(text), "/copy")
		if _, ok := r.Tests[want]; !ok {
			t.Errorf("want %q, got %v", want, r.Names(grade.Passed))
		}
	}
	long := strings.Repeat("x", 1000)
	r := grade.Parse(grade.TAP, strings.NewReader("ok 1 - "+long+"1\nok 2 - "+long+"2\nok 3 - same\nok 4 - same\n"))
	if len(r.Tests) != 4 {
		t.Errorf("names: %v", r.Names(grade.Passed))
	}
}
