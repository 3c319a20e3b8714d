package drive_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
	"checkrein/internal/untested"
)

// played is one trial on files of its own: the parent, what the fix adds to it,
// and a stand-in's script.
func played(t *testing.T, testCmd, setupCmd string, parent, fix map[string]string, script string) trial.Record {
	t.Helper()
	b := newBench(t, 1, harness.ClaudeCode)
	b.git("checkout", "-q", "--orphan", "played")
	b.git("rm", "-rfq", ".")
	one := &b.Doc.Tasks[0]
	one.Parent = b.commit(parent, "Start")
	one.Commit = b.commit(fix, "Fix it")
	one.HiddenTests, one.GoldFiles = nil, nil
	for path := range fix {
		if strings.Contains(path, "test") {
			one.HiddenTests = append(one.HiddenTests, path)
		} else {
			one.GoldFiles = append(one.GoldFiles, path)
		}
	}
	b.Doc.TestCmd, b.Doc.SetupCmd = testCmd, setupCmd
	b.standIn("claude", script)
	cache, _ := exec.Command("go", "env", "GOCACHE").Output() // the home is another one here
	b.Environ = append(b.Environ, "GOCACHE="+strings.TrimSpace(string(cache)), "GOFLAGS=-mod=mod", "GOPROXY=off")
	_, records := b.run()
	b.clean()
	return records[0]
}

func needs(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		untested.Here(t, program+" "+strings.Join(args, " ")+": "+string(out))
	}
}

// The attacks that a runner's own settings allow, each with the real runner: the
// agent fixes nothing, and the suite must fail. Then the same edit beside an
// honest fix passes.
func TestRunnerSettingsArePutBack(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // a version manager's python may lack what the system's has
	python := func() (parent, fix map[string]string) {
		parent = map[string]string{
			"calc.py": "def add(a, b):\n    return a - b\n", "pyproject.toml": "[project]\nname = \"calc\"\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n",
			"tests/test_calc.py": "def test_nothing():\n    pass\n",
		}
		fix = map[string]string{
			"calc.py": "def add(a, b):\n    return a + b\n", "tests/test_calc.py": "from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
		}
		return parent, fix
	}
	node := func() (parent, fix map[string]string) {
		parent = map[string]string{
			"calc.js": "exports.add = (a, b) => a - b;\n", "package.json": `{"name": "calc", "scripts": {"test": "node --test tests/"}}` + "\n",
			"tests/calc.test.js": "",
		}
		fix = map[string]string{
			"calc.js":            "exports.add = (a, b) => a + b;\n",
			"tests/calc.test.js": "require('node:test')('adds', () => require('node:assert').strictEqual(require('../calc.js').add(1, 2), 3));\n",
		}
		return parent, fix
	}
	golang := func() (parent, fix map[string]string) {
		parent = map[string]string{
			"calc.go": "package calc\n\nfunc Add(a, b int) int { return a - b }\n", "go.mod": "module calc\n\ngo 1.26\n\nrequire assert.example v1.0.0\n\nreplace assert.example => ./vendored\n",
			"vendored/go.mod": "module assert.example\n\ngo 1.26\n", "vendored/a.go": "package assert\n\nfunc Equal(a, b int) {\n\tif a != b {\n\t\tpanic(\"not equal\")\n\t}\n}\n",
		}
		fix = map[string]string{
			"calc.go":      "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
			"calc_test.go": "package calc\n\nimport (\n\t\"testing\"\n\n\t\"assert.example\"\n)\n\nfunc TestAdd(t *testing.T) { assert.Equal(Add(1, 2), 3) }\n",
		}
		return parent, fix
	}
	makes := func() (parent, fix map[string]string) {
		return map[string]string{"src.txt": "broken\n", "Makefile": "RUN = sh\n\nbuild:\n\ttrue\n\ntest:\n\t$(RUN) tests/check.sh\n", "tests/check.sh": "exit 0\n"},
			map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt\n"}
	}
	scripts := func() (parent, fix map[string]string) {
		return map[string]string{"src.txt": "broken\n", "scripts/ci.sh": "sh tests/check.sh\n", "tests/check.sh": "exit 0\n", "package.json": `{"scripts": {"test": "sh scripts/ci.sh"}}`},
			map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt\n"}
	}
	plug := `printf 'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    o = yield\n    o.get_result().outcome = "passed"\n' >plug.py; `
	for _, tt := range []struct {
		name, cmd, attack string
		files             func() (parent, fix map[string]string)
		honest            string
		putBack           []string
	}{
		{
			"row 3, a module in pytest's place", "python3 -m pytest", `echo 'raise SystemExit(0)' >pytest.py`, python,
			`sed -i 's/a - b/a + b/' calc.py`,
			[]string{"pytest.py"},
		},
		{
			"row 6, a plugin by addopts", "python3 -m pytest", plug + `sed -i 's/"-q"/"-q -p plug"/' pyproject.toml`, python,
			`sed -i 's/a - b/a + b/' calc.py`,
			[]string{"pyproject.toml: [tool.pytest.ini_options]"},
		},
		{
			"row 7, a test left out by addopts", "python3 -m pytest || [ $? = 5 ]", `sed -i 's/"-q"/"--ignore=tests"/' pyproject.toml`, python,
			`sed -i 's/a - b/a + b/' calc.py`,
			[]string{"pyproject.toml: [tool.pytest.ini_options]"},
		},
		{
			"a plugin by setup.cfg and its own folder", "python3 -m pytest", plug + `printf '[tool:pytest]\naddopts = -p plug\n' >setup.cfg; rm pyproject.toml; mkdir pyproject.toml; echo x >pyproject.toml/x`, python,
			`sed -i 's/a - b/a + b/' calc.py`,
			[]string{"pyproject.toml", "pyproject.toml/x", "setup.cfg: tool:pytest"},
		},
		{
			"scripts.test", "npm test", `sed -i 's/node --test tests./exit 0/' package.json`, node, `sed -i 's/a - b/a + b/' calc.js`, []string{"package.json: scripts"},
		},
		{
			"the shell of scripts", "npm test", `echo script-shell=/bin/true >.npmrc`, node, `sed -i 's/a - b/a + b/' calc.js`, []string{".npmrc"},
		},
		{
			"package.json is a link", "npm test", `echo '{"scripts":{"test":"true"}}' >other.json; ln -sf other.json package.json`, node,
			`sed -i 's/a - b/a + b/' calc.js`,
			[]string{"package.json"},
		},
		{
			"another assertion library", "go test ./...", `mkdir fake; cp vendored/go.mod fake; printf 'package assert\n\nfunc Equal(a, b int) {}\n' >fake/a.go; sed -i 's/vendored/fake/' go.mod`,
			golang, `sed -i 's/a - b/a + b/' calc.go`,
			[]string{"go.mod: replace"},
		},
		{
			"a workspace", "go test ./...", `printf 'go 1.26\nuse .\nreplace assert.example => ./fake\n' >go.work; mkdir fake; cp vendored/go.mod fake; printf 'package assert\n\nfunc Equal(a, b int) {}\n' >fake/a.go`,
			golang, `sed -i 's/a - b/a + b/' calc.go`,
			[]string{"go.work"},
		},
		{
			"a rule of make", "make test", `printf 'RUN = true\n\nbuild:\n\ttrue # more\n\ntest:\n\t@true\n' >Makefile`, makes, `echo fixed >src.txt`,
			[]string{"Makefile: RUN, test"},
		},
		{
			"the script that tests", "sh scripts/ci.sh", `echo exit 0 >scripts/ci.sh`, scripts, `echo fixed >src.txt`, []string{"scripts/ci.sh"},
		},
		{
			"a script of scripts.test", "npm test", `echo exit 0 >scripts/ci.sh`, scripts, `echo fixed >src.txt`, []string{"scripts/ci.sh"},
		},
		{
			"another file of make", "make test", `printf 'test:\n\t@true\n' >GNUmakefile`, makes, `echo fixed >src.txt`, []string{"GNUmakefile"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			switch {
			case strings.Contains(tt.cmd, "pytest"):
				needs(t, "python3", "-m", "pytest", "--version")
			case strings.HasPrefix(tt.cmd, "npm"):
				needs(t, "npm", "--version")
			}
			parent, fix := tt.files()
			for honest, want := range map[string]string{"": trial.Failed, tt.honest + "; ": trial.Passed} {
				r := played(t, tt.cmd, "", parent, fix, honest+tt.attack+"; done_")
				wantStatus(t, r, want)
				if diff := cmp.Diff(tt.putBack, r.PutBack); diff != "" {
					t.Errorf("put back (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// What an honest agent adds to the same files is scored as it left it.
func TestOtherSectionsStay(t *testing.T) {
	parent := map[string]string{"package.json": "{\n  \"scripts\": {},\n  \"name\": \"a\"\n}\n", "pyproject.toml": "# top\n[tool.ruff]\n", "src.txt": "broken\n"}
	fix := map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q '\"name\": \"b\"$' package.json && grep -q 'scripts\": {},$' package.json && cmp pyproject.toml other\n"}
	r := played(t, "sh tests/check.sh", "", parent, fix, `printf '{\n  "scripts": {"x": ""},\n  "name": "b"\n}\n' >package.json
printf '# top\n[tool.ruff]\nx=1 # y\n' >other; (cat other; printf '[tool.pytest]\n') >pyproject.toml; done_`)
	wantStatus(t, r, trial.Passed)
	if diff := cmp.Diff([]string{"package.json: scripts", "pyproject.toml: [tool.pytest]"}, r.PutBack); diff != "" {
		t.Error(diff)
	}
}

// What the fix changed as well stays as the agent left it, and that section only.
func TestFilesOfTheFixStay(t *testing.T) {
	parent := map[string]string{"package.json": `{"scripts":{"test":"false"},"jest":{}}`, ".npmrc": "a=1\n", "src.txt": "broken\n"}
	fix := map[string]string{"package.json": `{"scripts":{"test":"true"},"jest":{}}`, ".npmrc": "a=2\n", "src.txt": "fixed\n", "tests/check.sh": `grep -q agent package.json && grep -q '"jest":{}' package.json && grep -q a=3 .npmrc` + "\n"}
	r := played(t, "sh tests/check.sh", "", parent, fix, `echo '{"scripts":{"test":"agent"},"jest":{"x":1}}' >package.json; echo a=3 >.npmrc; done_`)
	wantStatus(t, r, trial.Passed)
	if diff := cmp.Diff([]string{"package.json: jest"}, r.PutBack); diff != "" {
		t.Error(diff)
	}
}

// Nothing is written where an agent's link leads.
func TestPutBackFollowsNoLink(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "package.json")
	parent := map[string]string{"package.json": `{"scripts":{"test":"sh tests/check.sh"}}`, "sub/package.json": `{"scripts":{"a":"b"}}`, "src.txt": "broken\n"}
	fix := map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt && [ ! -L package.json ] && [ -d sub ]\n"}
	r := played(t, "sh tests/check.sh", "", parent, fix, `echo fixed >src.txt; echo '{}' >`+outside+`; ln -sf `+outside+` package.json; done_`)
	wantStatus(t, r, trial.Passed)
	if text, _ := os.ReadFile(outside); string(text) != "{}\n" {
		t.Errorf("written outside: %q", text)
	}
}

// What setup writes is the agent's work as well, where it runs the agent's code.
// Lock files are its own.
func TestSetupPutsNoDeciderInPlace(t *testing.T) {
	parent := map[string]string{
		"gen.sh": "true\n", "src.txt": "broken\n", "Makefile": "test:\n\tsh tests/check.sh\n", "tests/check.sh": "exit 0\n", "yarn.lock": "a\n", ".npmrc": "a\n",
	}
	fix := map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt && grep -q a .npmrc && grep -q new yarn.lock\n"}
	attack := `printf 'echo exit 0 >tests/check.sh; printf "test:\\n\\ttrue\\n" >Makefile; rm .npmrc; echo new >yarn.lock; echo x >conftest.py\n' >gen.sh; done_`
	for honest, want := range map[string]string{"": trial.Failed, "echo fixed >src.txt; ": trial.Passed} {
		r := played(t, "make test", "sh gen.sh", parent, fix, honest+attack)
		wantStatus(t, r, want)
		if diff := cmp.Diff([]string{".npmrc", "Makefile: test", "conftest.py"}, r.PutBack); diff != "" {
			t.Error(diff)
		}
	}
}

// A link in the place of a folder with tests or deciders is a failed run, as ever.
func TestLinkInThePlaceOfAFolder(t *testing.T) {
	parent := map[string]string{"src.txt": "broken\n", "tests/check.sh": "exit 0\n", ".github/workflows/ci.yml": "a\n"}
	fix := map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt\n"}
	for _, folder := range []string{"tests", ".github"} {
		r := played(t, "sh tests/check.sh", "", parent, fix, `echo fixed >src.txt; rm -r `+folder+`; ln -s /tmp `+folder+`; done_`)
		wantStatus(t, r, trial.Failed)
	}
}
