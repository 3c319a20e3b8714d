package task

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/grade"
	"checkrein/internal/proc"
)

// TestReach: runners that a command starts where no flag of ours gets to are
// asked by variables, each tells of its tests in a report of its own, and what
// the command prints is read where none does.
func TestReach(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // a version manager's python may lack what the system's has
	tools(t, "make", "python3", "node", "go", "ruby", "rake", "rspec")
	tests := []struct {
		name, cmd string
		files     map[string]string
		passed    []string
		failed    []string
	}{
		{
			"two runners, one of them twice", "make -k test",
			map[string]string{
				"Makefile":     "test: a b c\na:\n\tpython3 -m pytest -q\nb:\n\tnode --test b.test.js\nc:\n\tnode c.test.js\n",
				"package.json": "{}", "test_m.py": "def test_a(): pass\ndef test_b(): assert 0\n",
				"b.test.js": "const { test } = require('node:test')\ntest('b', () => {})\ntest('red', () => { throw new Error('no') })\n",
				"c.test.js": "const { test } = require('node:test')\ntest('c', () => {})\n",
			},
			[]string{"node::b", "node::c", "pytest::test_m::test_a"},
			[]string{"node::red", "pytest::test_m::test_b"},
		},
		{
			"two runners in a script, one of them twice", "npm test",
			map[string]string{
				"package.json": `{"scripts": {"test": "npm run unit && node --test b.test.js && python3 -m pytest -q", "unit": "node --test a.test.js"}}`,
				"a.test.js":    "require('node:test').test('one', () => {})\n", "b.test.js": "require('node:test').test('one', () => {})\n",
				"test_m.py": "def test_a(): pass\ndef test_b(): assert 0\n",
			},
			[]string{"node2::one", "node::one", "pytest::test_m::test_a"},
			[]string{"pytest::test_m::test_b"},
		},
		{
			// Workspaces start one process of a runner for each package. Jest and vitest have
			// no variable, and of two mochas the last one's report counted.
			"the same runners in two packages", "npm test",
			map[string]string{
				"package.json": `{"scripts": {"test": "npm run a; npm run b", "a": "cd a && jest --coverage --bail 1 x && vitest run --reporter dot x && mocha -R spec -b x", "b": "cd b && jest && vitest && mocha && jest --version"}}`,
				"a/x":          "", "b/x": "",
				"node_modules/jest/bin/jest.js": `#!/usr/bin/env node
` + standIn("outputFile=(.*)", `{testResults: [{name: process.cwd() + "/x", assertionResults: [{ancestorTitles: [], title: words, status: "passed"}]}]}`),
				"node_modules/vitest/vitest.mjs": `#!/usr/bin/env node
` + "import {createRequire} from 'module'\nconst require = createRequire(import.meta.url)\n" +
					standIn("outputFile=(.*)", `{testResults: [{name: process.cwd() + "/x", assertionResults: [{ancestorTitles: [], title: words, status: "passed"}]}]}`),
				"node_modules/mocha/bin/mocha.js": `#!/usr/bin/env node
` + standIn("output=(.*)", `{stats: {}, passes: [{file: process.cwd() + "/x", fullTitle: words}], failures: [], pending: []}`),
			},
			[]string{
				"jest::a/x::--ci --bail=0 --coverage=false --json x",
				"jest::b/x::--ci --bail=0 --coverage=false --json",
				"mocha::a/x::--no-bail --reporter json --reporter-option x",
				"mocha::b/x::--no-bail --reporter json --reporter-option",
				"vitest::a/x::run --run --bail=0 --coverage.enabled=false --reporter=json x",
				"vitest::b/x::--run --bail=0 --coverage.enabled=false --reporter=json",
			},
			[]string{},
		},
		{
			// A script that failed kept the tests of all behind it from running.
			"starters of scripts go on", "npm test",
			map[string]string{
				"package.json": `{"scripts": {"test": "npm-run-all2 lint unit; turbo run test; turbo --version; lerna run test; nyc --check-coverage --100 node x"}}`,
				"node_modules/npm-run-all2/bin/run-s/index.js": says, "node_modules/turbo/bin/turbo": says, "node_modules/lerna/dist/cli.js": says, "node_modules/nyc/bin/nyc.js": says,
			},
			[]string{"--check-coverage=false node x", "--continue-on-error lint unit", "--version", "run --continue test", "run --no-bail test"},
			[]string{},
		},
		{
			"go below make", "make test",
			map[string]string{
				"Makefile": "test:\n\t@go list ./... >/dev/null && go vet ./... && go test ./...\n", "go.mod": "module m\n\ngo 1.24\n",
				"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Run(\"x y\", func(t *testing.T) {}) }\n\nfunc TestB(t *testing.T) { t.Fatal() }\n",
			},
			[]string{"m::TestA", "m::TestA/x_y"},
			[]string{"m::TestB"},
		},
		{
			"minitest below rake", "rake",
			map[string]string{
				"Rakefile":       "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test/*_test.rb' }\ntask default: :test\n",
				"test/m_test.rb": "require 'minitest/autorun'\nclass M < Minitest::Test\n  def test_a; end\n  def test_b; flunk; end\nend\n",
			},
			[]string{"M::test_a"},
			[]string{"M::test_b"},
		},
		{
			"rspec below rake", "rake",
			map[string]string{
				"Rakefile":       "task(:default) { sh 'rspec --format documentation' }\n",
				"spec/m_spec.rb": "describe('m') { it('a') {}; it('b') { raise 'no' } }\n",
			},
			[]string{"rspec::spec/m_spec.rb::m a"},
			[]string{"rspec::spec/m_spec.rb::m b"},
		},
		{
			"a Ruby test by itself", "ruby -Itest test/m_test.rb",
			map[string]string{"test/m_test.rb": "require 'minitest/autorun'\nclass M < Minitest::Test\n  def test_a; end\n  def test_b; flunk; end\nend\n"},
			[]string{"M::test_a"},
			[]string{"M::test_b"},
		},
		{
			"GoogleTest lists its tests at build time", "make test",
			map[string]string{
				"Makefile": "test:\n\tmkdir -p \"$${GTEST_OUTPUT#xml:}\" && cp list.xml \"$${GTEST_OUTPUT#xml:}m.xml\" && cp ran.xml \"$${GTEST_OUTPUT#xml:}m_1.xml\"\n",
				"list.xml": sample(t, "gtest-listed.xml"), "ran.xml": sample(t, "gtest.xml"),
			},
			[]string{"gtest::Some/P::Even/0", "gtest::Sum::Passes"},
			[]string{"gtest::Some/P::Even/1", "gtest::Sum::Fails"},
		},
		{
			"nothing that reports", "make test",
			map[string]string{"Makefile": "test:\n\t@echo all is well\n", "package.json": "{}", "go.mod": "module m\n", "Rakefile": "", "pom.xml": ""},
			[]string{},
			[]string{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
				if inside, bin := strings.CutPrefix(name, "node_modules/"); bin {
					link(t, filepath.Join(dir, "node_modules", ".bin"), inside)
				}
			}
			o := Options{TestCmd: tt.cmd}
			out := filepath.Join(t.TempDir(), "out")
			run, _, err := RunGraded(context.Background(), o.planFor(dir), dir, proc.Command{Env: proc.Env(proc.Tests, nil, nil, os.Environ()), Stdout: out})
			if err != nil {
				t.Fatal(err)
			}
			got := [][]string{run.Names(grade.Passed), run.Names(grade.Failed)}
			if diff := cmp.Diff([][]string{tt.passed, tt.failed}, got); diff != "" {
				text, _ := os.ReadFile(out)
				t.Errorf("passed and failed (-want +got):\n%s\n%v\n%s", diff, slices.Sorted(maps.Keys(run.Tests)), text)
			}
		})
	}
}

// standIn is a runner in JavaScript that passes one test, whose name is the words
// that it was started with.
func standIn(place, report string) string {
	return `const at = process.argv.findIndex((word) => /` + place + `/.test(word))
if (at > 0) {
  const words = process.argv.slice(2).filter((_, i) => i + 2 !== at).join(" ")
  require("fs").writeFileSync(/` + place + `/.exec(process.argv[at])[1], JSON.stringify(` + report + `))
}
`
}

// says is a program that reports its words.
const says = "#!/usr/bin/env node\nconsole.log('ok 1 - ' + process.argv.slice(2).join(' '))\n"

// link puts a package's program where scripts find it.
func link(t *testing.T, bin, program string) {
	t.Helper()
	name, _, _ := strings.Cut(program, "/")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../"+program, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
}

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "grade", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
