package grade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestControls(t *testing.T) {
	const tag = "x7"
	for _, tt := range []struct {
		runner, file, text string
		path               string   // "" for no control
		has                []string // of its text
	}{
		{"pytest", "tests/test_a.py", "import a\n", "tests/test_a_x7.py", []string{"def test_x7_raises", "pytest.approx"}},
		{"pytest", "tests/a_test.py", "import a\n", "tests/a_x7_test.py", []string{"def test_x7_raises"}},
		{"pytest", "tests/conftest.py", "import a\n", "", nil},
		{"Django", "shop/tests.py", "import a\n", "shop/tests_x7.py", []string{"class Test_x7"}},
		{"unittest", "tests/test_a.py", "import a\n", "tests/test_a_x7.py", []string{"class Test_x7"}},
		{"go test", "a/b_test.go", "// About.\n//go:build linux\n\npackage a_test\n", "a/b_test_x7_test.go", []string{"//go:build linux\n\npackage a_test\n", "func Test_x7_fatal"}},
		{"go test", "b_test.go", "package a\n\nimport \"github.com/stretchr/testify/require\"\n", "b_test_x7_test.go", []string{"testify/require\"\n)", "require.Equal(t, 1, 2)"}},
		{"go test", "testdata/x.golden", "x", "", nil},
		{"node:test", "test/a.test.js", "const a = require('../a');\nrequire('fs');\nrequire(\"../a\");\n", "test/a.x7.test.js", []string{"const { test } = require('node:test');\n", "const assert = require('node:assert');\n", "\nrequire('../a');\ntest('x7 throws'"}},
		{"node:test", "test/a.mjs", "import fs from 'fs';\nimport { a } from '../a.js';\nimport '../b.js';", "test/a.x7.mjs", []string{"import { test } from 'node:test';\n", "import '../a.js';\nimport '../b.js';\n"}},
		{"jest", "src/a.spec.ts", "import { a } from './a';", "src/a.x7.spec.ts", []string{"import './a';\ntest('x7 throws'", "expect(1).toBe(2)"}},
		{"vitest", "src/a.test.ts", "import { a } from './a';", "src/a.x7.test.ts", []string{"import { test, expect } from 'vitest';\n"}},
		{"mocha", "test/a.js", "const { expect } = require('chai');\nconst a = require('..');", "test/a.x7.js", []string{"require.cache", "=> it(...of);", "const chai = require('chai');", "require('..');\n", "chai.expect(1)"}},
		{"rspec", "spec/a_spec.rb", "describe 'a'", "spec/a_x7_spec.rb", []string{"describe 'x7'"}},
		{"bats", "test/a.bats", "@test", "", nil},
		{"cargo test", "tests/a.rs", "#[test]", "", nil},
		{"pytest", "tests/test_gone.py", "", "", nil},
	} {
		got := Plan{Runner: tt.runner}.Controls([]string{tt.file}, func(string) string { return tt.text }, tag)
		if tt.path == "" {
			if len(got) > 0 {
				t.Errorf("%s %s: %+v, want none", tt.runner, tt.file, got)
			}
			continue
		}
		if len(got) == 0 || got[0].Path != tt.path {
			t.Errorf("%s %s: %+v, want the first at %s", tt.runner, tt.file, got, tt.path)
			continue
		}
		for _, want := range append(tt.has, tag) {
			if !strings.Contains(got[0].Text, want) || strings.Contains(got[0].Text, "TAG") {
				t.Errorf("%s %s lacks %q:\n%s", tt.runner, tt.file, want, got[0].Text)
			}
		}
	}
}

func TestControlsThatAreCopies(t *testing.T) {
	for _, tt := range []struct {
		runner, text string
		paths        []string
		has          string // the last one
	}{
		{"jest", "test('a', () => expect(f()).toBe(1))", []string{"a.x7.test.js", "a.x7run.test.js"}, "() => expect(f()).toBe(1))\nafterEach("},
		{"jest", "expect(f()).toStrictEqual(1)", []string{"a.x7.test.js", "a.x7run.test.js", "a.x7eq.test.js"}, "\nexpect.extend({"},
		{"vitest", "expect(f()).toEqual(1)", []string{"a.x7.test.js", "a.x7run.test.js", "a.x7eq.test.js"}, "\nx7expect.extend({"},
		{"mocha", "const f = require('..');\nit('a', () => f())", []string{"a.x7.test.js", "a.x7run.test.js"}, "describe('x7', () => {\nconst f = require('..');\nit('a', () => f())\nafterEach("},
		{"mocha", "import f from '..';\nit('a', () => f())", []string{"a.x7.test.js"}, "import '..';\n"},
		{"node:test", "assert.equal(f(), 1)", []string{"a.x7.test.js"}, ""},
	} {
		var paths []string
		got := Plan{Runner: tt.runner}.Controls([]string{"a.test.js"}, func(string) string { return tt.text }, "x7")
		for _, c := range got {
			paths = append(paths, c.Path)
		}
		if diff := cmp.Diff(tt.paths, paths); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.runner, diff)
		}
		if last := got[len(got)-1].Text; !strings.Contains(last, tt.has) || strings.Contains(last, "TAG") {
			t.Errorf("%s lacks %q:\n%s", tt.runner, tt.has, last)
		}
	}
}

func TestControlsAreBounded(t *testing.T) {
	files := strings.Fields(strings.Repeat("tests/test_a.py ", 99))
	if got := (Plan{Runner: "pytest"}).Controls(files, func(string) string { return "x" }, "x7"); len(got) != maxControls {
		t.Errorf("%d controls", len(got))
	}
}

func TestForged(t *testing.T) {
	r := Results{Tests: map[string]Test{
		"a::test_x7_raises": {Status: Passed}, "a::test_x7_asserts": {Status: Failed}, "a::test_x7_skips": {Status: Skipped}, "a::test": {Status: Passed},
	}}
	if got := r.Forged("x7"); len(got) != 1 || got[0] != "a::test_x7_raises" {
		t.Errorf("%v", got)
	}
}

func TestOtherValues(t *testing.T) {
	const text = `import calc

def test_f():
    assert calc.f() == 5

@mark
async def test_g(x):
    assert calc.g(x) == "a b"
    assert calc.g(x) == 'a' + x

class TestC:
    def test_h(self):
        assert calc.h() == [5]

def test_i():
    assert calc.i(1 == 1) == -3
`
	const want = `import calc

def test_x7eq_f():
    assert calc.f() == 15000003

@mark
async def test_x7eq_g(x):
    assert calc.g(x) == 'a bx7'
    assert calc.g(x) == 'a' + x

class TestC:
    def _test_h(self):
        assert calc.h() == [5]

def _test_i():
    assert calc.i(1 == 1) == -3
`
	if diff := cmp.Diff(want, otherValues(text, "x7")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := otherValues("def test_a():\n    assert a\n", "x7"); got != "" {
		t.Errorf("%q", got)
	}
	both := Results{Tests: map[string]Test{"t_x7eq::test_x7eq_f": {Status: Passed}, "t_x7::test_x7_raises": {Status: Passed}, "t_x7eq::test_x7eq_g": {Status: Failed}}}
	if diff := cmp.Diff([]string{"t_x7::test_x7_raises"}, both.Forged("x7")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"t_x7eq::test_x7eq_f"}, both.Equal("x7")); diff != "" {
		t.Error(diff)
	}
}
