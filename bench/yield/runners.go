package main

import "fmt"

// kinds are the runners. A folder of Node modules adds those that it holds.
func kinds(modules string) []kind {
	all := []kind{goTest(), pytest(), unittest(), nodeTest(), cargoTest(), rspec(), minitest(), exunit(), bats(), gtest(), goBelowMake()}
	if modules == "" {
		return all
	}
	for _, runner := range []string{"jest", "vitest", "mocha", "ava", "tape", "bun", "deno"} {
		all = append(all, script(runner, modules))
	}
	return all
}

func goTest() kind {
	const top = "package m\n\nimport \"testing\"\n\n"
	return kind{
		runner: "go", needs: []string{"go", "version"}, command: "go test ./...",
		fixed: map[string]string{"go.mod": "module m\n\ngo 1.24\n"}, source: "m.go", tests: "m_test.go",
		head:     [2]string{"package m\n", top},
		function: func(n int) string { return fmt.Sprintf("\nfunc F%d() int { return %d }\n", n, n) },
		test: func(n int) string {
			return fmt.Sprintf("func TestF%d(t *testing.T) {\n\tif F%d() != %d {\n\t\tt.Fatal()\n\t}\n}\n\n", n, n, n)
		},
		troubles: []string{none, red, flaky, panics, nested, skips, gone},
		trouble: map[string]map[string]string{
			red:    {"red_test.go": top + "func TestRed(t *testing.T) { t.Fatal() }\n"},
			flaky:  {"red_test.go": "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestFlaky(t *testing.T) {\n\tif os.Remove(\"ran\") != nil {\n\t\tos.WriteFile(\"ran\", nil, 0o666)\n\t\tt.Fatal()\n\t}\n}\n"},
			panics: {"other/red_test.go": "package other\n\nimport \"testing\"\n\nfunc TestRed(t *testing.T) { panic(1) }\n\nfunc TestAfter(t *testing.T) {}\n"},
			skips:  {"red_test.go": top + "func TestSkipped(t *testing.T) { t.Skip() }\n"},
			gone:   {"red_test.go": top + "func TestOldNN(t *testing.T) {}\n"},
			nested: {"red_test.go": top + "func TestNested(t *testing.T) {\n\ttesting.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: \"Inner\", F: func(t *testing.T) { t.Fail() }}})\n}\n"},
		},
	}
}

func pytest() kind {
	return kind{
		runner: "pytest", needs: []string{"python3", "-c", "import pytest"}, command: "python3 -m pytest -q",
		fixed: map[string]string{"conftest.py": ""}, source: "m.py", tests: "tests/test_m.py",
		head:     [2]string{"", "import m\nimport pytest\n"},
		function: func(n int) string { return fmt.Sprintf("\ndef f%d(x):\n    return x + %d\n", n, n) },
		test: func(n int) string {
			return fmt.Sprintf("\n@pytest.mark.parametrize('x', [0, 1])\ndef test_f%d(x):\n    assert m.f%d(x) == x + %d\n", n, n, n)
		},
		troubles: []string{none, red, flaky, skips, params, gone},
		trouble: map[string]map[string]string{
			red:    {"tests/test_red.py": "def test_red():\n    assert 0\n"},
			skips:  {"tests/test_red.py": "import pytest\n\n@pytest.mark.skip\ndef test_skipped():\n    assert 0\n"},
			params: {"tests/test_red.py": "import pytest\n\n@pytest.mark.parametrize('x', [object(), object()], ids=repr)\ndef test_object(x):\n    pass\n"},
			gone:   {"tests/test_red.py": "def test_oldNN():\n    pass\n"},
			flaky:  {"tests/test_red.py": "import os\n\ndef test_flaky():\n    if not os.path.exists('ran'):\n        open('ran', 'w').close()\n        assert 0\n    os.remove('ran')\n"},
		},
	}
}

func unittest() kind {
	return kind{
		runner: "unittest", needs: []string{"python3", "--version"}, command: "python3 -m unittest discover -s tests -t .",
		fixed: map[string]string{"tests/__init__.py": ""}, source: "m.py", tests: "tests/test_m.py",
		head:     [2]string{"", "import unittest\nimport m\n\nclass T(unittest.TestCase):\n"},
		function: func(n int) string { return fmt.Sprintf("\ndef f%d():\n    return %d\n", n, n) },
		test: func(n int) string {
			return fmt.Sprintf("    def test_f%d(self):\n        self.assertEqual(m.f%d(), %d)\n", n, n, n)
		},
		troubles: []string{none, red},
		trouble: map[string]map[string]string{
			red: {"tests/test_red.py": "import unittest\n\nclass R(unittest.TestCase):\n    def test_red(self):\n        self.fail()\n"},
		},
	}
}

const failing = "test('red', () => { throw new Error('red') });\n"

func nodeTest() kind {
	k := scripted("node:test", "node --test test/", "const { test } = require('node:test');\nconst m = require('../src/m.js');\n")
	k.needs, k.trouble = []string{"node", "--test", "--help"}, map[string]map[string]string{red: {"test/red.test.js": "const { test } = require('node:test');\n" + failing}}
	return k
}

func scripted(runner, command, head string) kind {
	return kind{
		runner: runner, command: "npm test",
		fixed:  map[string]string{"package.json": fmt.Sprintf(`{"name": "m", "scripts": {"test": %q}}`, command), ".gitignore": "node_modules\n"},
		source: "src/m.js", tests: "test/m.test.js", head: [2]string{"", head},
		function: func(n int) string { return fmt.Sprintf("exports.f%d = () => %d;\n", n, n) },
		test: func(n int) string {
			return fmt.Sprintf("test('f%d', () => { if (m.f%d() !== %d) throw new Error('wrong') });\n", n, n, n)
		},
		troubles: []string{none, red},
	}
}

func cargoTest() kind {
	return kind{
		runner: "cargo", needs: []string{"cargo", "--version"}, command: "cargo test --offline",
		fixed:  map[string]string{"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", ".gitignore": "target\nCargo.lock\n"},
		source: "src/lib.rs", tests: "tests/m.rs",
		function: func(n int) string { return fmt.Sprintf("pub fn f%d() -> i32 {\n    %d\n}\n", n, n) },
		test: func(n int) string {
			return fmt.Sprintf("#[test]\nfn f%d() {\n    assert_eq!(m::f%d(), %d);\n}\n", n, n, n)
		},
		troubles: []string{none, red},
		trouble:  map[string]map[string]string{red: {"tests/red.rs": "#[test]\nfn red() {\n    panic!();\n}\n"}},
	}
}

func rspec() kind {
	return kind{
		runner: "rspec", needs: []string{"rspec", "--version"}, command: "rspec",
		source: "lib/m.rb", tests: "spec/m_spec.rb", head: [2]string{"module M\n  module_function\nend\n", "require './lib/m'\ndescribe M do\n"},
		function: func(n int) string { return fmt.Sprintf("def M.f%d\n  %d\nend\n", n, n) },
		test:     func(n int) string { return fmt.Sprintf("  it('f%d') { expect(M.f%d).to eq(%d) }\n", n, n, n) },
		tail:     "end\n", troubles: []string{none, red},
		trouble: map[string]map[string]string{red: {"spec/red_spec.rb": "describe('red') { it('red') { raise 'red' } }\n"}},
	}
}
