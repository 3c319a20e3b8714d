package grade_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/grade"
)

func repo(scripts map[string]string) grade.Repo {
	return grade.Repo{
		Script: func(dir, name string) string { return scripts[strings.TrimPrefix(dir+"/"+name, "/")] },
		Has: func(path string) bool {
			return path != "sub/go.mod" && !strings.HasSuffix(path, "/go.mod") || path == "other/go.mod"
		},
	}
}

const path = `PATH="$PWD/node_modules/.bin:$PATH" && export PATH && `

func TestAsk(t *testing.T) {
	const report = "/r/x"
	tests := []struct{ cmd, scripts, runner, line string }{
		{"python3 -m pytest -q", "", "pytest", "python3 -m pytest --junitxml=/r/x -o junit_family=xunit1 -p no:cacheprovider --maxfail=0 --rootdir=. -q"},
		{"cd sub && uv run pytest", "", "pytest", "cd sub && uv run pytest --junitxml=/r/x -o junit_family=xunit1 -p no:cacheprovider --maxfail=0"},
		{"A=b go test ./...", "", "go test", "A=b go test -json -count=1 ./..."},
		{"node --test test/", "", "node:test", "node --test-reporter=junit --test-reporter-destination=/r/x --test-reporter=spec --test-reporter-destination=stdout --test test/"},
		{"python -m unittest discover", "", "unittest", "python -m unittest discover -v"},
		{"python3 manage.py test --failfast -v 3 shop", "", "Django", "python3 manage.py test -v 2 shop"},
		{"cd web && ./manage.py test", "", "Django", "cd web && ./manage.py test -v 2"},
		{"python manage.py check", "", "what the command prints", "python manage.py check"},
		// A quiet runner names no test that passes.
		{"python -m unittest -q tests", "", "unittest", "python -m unittest -v tests"},
		{"cargo test -q -- --quiet", "", "cargo test", "cargo test --no-fail-fast --"},
		{"cargo test --workspace", "", "cargo test", "cargo test --no-fail-fast --workspace"},
		{"npm test", "test=jest", "jest", path + "jest --ci --bail=0 --coverage=false --json --outputFile=/r/x"},
		{"npm test", "test=vitest run|pretest=tsc", "vitest", "npm run pretest && " + path + "vitest run --bail=0 --coverage.enabled=false --reporter=json --outputFile=/r/x"},
		{
			"yarn test", "test=yarn lint && yarn unit|lint=eslint .|unit=cross-env CI=1 mocha -R spec --exit test/", "mocha",
			path + "true && " + path + "cross-env CI=1 mocha --no-bail --reporter json --reporter-option output=/r/x --exit test/",
		},
		{"npm test && echo done", "test=node --test", "node:test", "( " + path + "node --test-reporter=junit --test-reporter-destination=/r/x --test-reporter=spec --test-reporter-destination=stdout --test ) && echo done"},
		{"./mvnw -q verify", "", "Maven", "./mvnw -fae -q verify"},
		{"./gradlew test", "", "Gradle", "./gradlew --continue test"},
		{"dotnet test -c Release", "", "dotnet test", "dotnet test --logger trx -c Release"},
		// A flag that ends the run at a failure would hide every test after one that fails anyway.
		{"npm test", "test=mocha --reporter spec --bail --check-leaks test/", "mocha", path + "mocha --no-bail --reporter json --reporter-option output=/r/x --check-leaks test/"},
		{"pytest -x --maxfail 2 -q tests", "", "pytest", "pytest --junitxml=/r/x -o junit_family=xunit1 -p no:cacheprovider --maxfail=0 --rootdir=. -q tests"},
		{"go test -failfast ./...", "", "go test", "go test -json -count=1 ./..."},
		{"rspec --fail-fast=3 spec", "", "rspec", "rspec --no-fail-fast --format json --out /r/x spec"},
		{"cargo test --no-fail-fast -p core", "", "cargo test", "cargo test --no-fail-fast -p core"}, // cargo refuses it twice
		// Without coverage: a bound that the code misses would be an exit code that no test explains.
		{"npm test", "test=jest --coverage --collectCoverage=true src", "jest", path + "jest --ci --bail=0 --coverage=false --json --outputFile=/r/x src"},
		{"npm test", "test=vitest run --coverage --coverage.enabled", "vitest", path + "vitest run --bail=0 --coverage.enabled=false --reporter=json --outputFile=/r/x"},
		// Several runners: a report of each.
		{
			"npm test", "test=yarn unit && cd e2e && mocha && node --test && mocha x.js|unit=jest", "jest, mocha, node:test, mocha",
			path + "{ " + path + "jest --ci --bail=0 --coverage=false --json --outputFile=/r/x.jest || trap 'exit 1' EXIT; } && cd e2e" +
				" && { mocha --no-bail --reporter json --reporter-option output=/r/x.mocha || trap 'exit 1' EXIT; }" +
				" && { node --test-reporter=junit --test-reporter-destination=/r/x.node --test-reporter=spec --test-reporter-destination=stdout --test || trap 'exit 1' EXIT; }" +
				" && mocha --no-bail --reporter json --reporter-option output=/r/x.mocha2 x.js",
		},
		{
			"pytest tests && pytest -q slow", "", "pytest, pytest",
			"{ pytest --junitxml=/r/x.pytest -o junit_family=xunit1 -p no:cacheprovider --maxfail=0 --rootdir=. tests || trap 'exit 1' EXIT; } && pytest --junitxml=/r/x.pytest2 -o junit_family=xunit1 -p no:cacheprovider --maxfail=0 --rootdir=. -q slow",
		},
		// The hidden files alone cover less than c8 and nyc want, so no candidate was kept.
		{"npm test", "test=cross-env A=b c8 --check-coverage --100 -r=text mocha test/", "mocha", path + "cross-env A=b c8 --check-coverage=false -r=text mocha --no-bail --reporter json --reporter-option output=/r/x test/"},
		{"npm test", "test=nyc mocha --bail", "mocha", path + "nyc --check-coverage=false mocha --no-bail --reporter json --reporter-option output=/r/x"},
		// A linter that fails kept every test from running, or had an exit code that no test explained.
		{"npm test", "test=eslint . && xo && jest && npm run check:format|pretest=standard|check:format=prettier -c .", "jest", path + "true && true && jest --ci --bail=0 --coverage=false --json --outputFile=/r/x && true"},
		{"npm test", "test=npm run build && jest|pretest=npm run build && eslint .", "jest", "npm run pretest && " + path + "npm run build && jest --ci --bail=0 --coverage=false --json --outputFile=/r/x"},
		// A script's folder is not that of the next one, and what is set for a script is set for its runner.
		{
			"npm test", "test=npm run a && npm run b|a=cd a && jest|b=cd b && mocha", "jest, mocha",
			path + "{ ( " + path + "cd a && jest --ci --bail=0 --coverage=false --json --outputFile=/r/x.jest ) || trap 'exit 1' EXIT; } && ( " +
				path + "cd b && mocha --no-bail --reporter json --reporter-option output=/r/x.mocha )",
		},
		{"npm test", "test=cross-env TZ='a b' npm run a|a=jest", "jest", path + "export TZ='a b' && " + path + "jest --ci --bail=0 --coverage=false --json --outputFile=/r/x"},
		{"npm test", "test=nyc --reporter=text npm run a|a=jest", "jest", path + path + "jest --ci --bail=0 --coverage=false --json --outputFile=/r/x"},
		{"cargo nextest run --workspace", "", "cargo nextest", "cargo nextest run --no-fail-fast --message-format libtest-json --workspace"},
		{"ruby -Itest test/a_test.rb", "", "minitest", "ruby -Itest test/a_test.rb --verbose"},
		{"bin/rails test -f", "", "minitest", "bin/rails test --verbose"},
		{"mix test", "", "ExUnit", "mix test --trace"},
		{"npm test", "test=tape test/*.js", "tape", path + "tape test/*.js"},
		// A workspace's runner lies in the top folder.
		{
			"cd packages/b && npm test", "packages/b/test=jest", "jest",
			`cd packages/b && ( PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" && export PATH && jest --ci --bail=0 --coverage=false --json --outputFile=/r/x )`,
		},
		// What tap-spec makes of TAP can't be read.
		{"standard && tape test/*.js | tap-spec", "", "tape", "true && tape test/*.js"},
		{"node x.js | tap-spec", "", "what the command prints", "node x.js | tap-spec"},
		{"tape x.js | tee log", "", "what the command prints", "tape x.js | tee log"},
		{"npx tap -R spec", "", "tap", "npx tap --reporter=tap"},
		{"bun test --reporter junit", "", "bun test", "bun test --reporter=junit --reporter-outfile=/r/x"},
		{"deno test -A", "", "deno test", "deno test --junit-path=/r/x -A"},
		{"npx playwright test --reporter=list", "", "Playwright", "npx playwright test --reporter=json"},
		{"meson test -C build", "", "meson test", "meson test -C build"},
		{"swift test", "", "swift test", "swift test --parallel --xunit-output /r/x"},
		{"sbt test", "", "sbt", "sbt test"},
		{"bazel test //...", "", "Bazel", "bazel test --keep_going --nocache_test_results --build_event_json_file=/r/x //..."},
		{"ruby run.rb", "", "what the command prints", "ruby run.rb"},
		// What is not understood is run as it is, and looked at.
		{"npm test", "test=ava && tape t.js", "what the command prints", "npm test"},
		{"jest && mvn test", "", "what the command prints", "jest && mvn test"},
		{"npm test -- x", "test=jest", "what the command prints", "npm test -- x"},
		{"make test | tee log", "", "what the command prints", "make test | tee log"},
		{"pytest --junitxml=mine.xml", "", "what the command prints", "pytest --junitxml=mine.xml"},
		{"node run.js", "", "what the command prints", "node run.js"},
		{"pytest \"$HOME\"", "", "what the command prints", "pytest \"$HOME\""},
		{"", "", "what the command prints", ""},
	}
	for _, tt := range tests {
		scripts := map[string]string{}
		for part := range strings.SplitSeq(tt.scripts, "|") {
			name, text, _ := strings.Cut(part, "=")
			scripts[name] = text
		}
		p := grade.Ask(tt.cmd, repo(scripts))
		line, _ := p.Filled(report)
		if p.Runner != tt.runner || line != tt.line || p.Origin != tt.cmd {
			t.Errorf("%q: %s\n got %s\nwant %s", tt.cmd, p.Runner, line, tt.line)
		}
	}
}

func TestSelect(t *testing.T) {
	tests := []struct{ cmd, files, want string }{
		{"pytest -q", "tests/test_a.py b_test.py", "-q tests/test_a.py b_test.py"},
		{"pytest tests -q", "tests/test_a.py", "--rootdir=. tests/test_a.py -q"},
		{"pytest -k foo", "tests/test_a.py", ""},
		{"pytest -q", "tests/test_a.py tests/conftest.py", ""},
		{"pytest -q", "test_a;b.py", "-q 'test_a;b.py'"},
		{"cd x && pytest -q", "x/test_a.py", ""},
		{"go test ./...", "a/b/x_test.go a/b/y_test.go x_test.go", "-count=1 ./a/b ./."},
		{"go test -race ./... ./tools/...", "a/x_test.go", "-race ./a"},
		{"go test ./...", "other/sub/x_test.go", ""},
		{"go test ./...", "a/testdata/x.txt", ""},
		{"node --test", "test/a.test.js", "--test test/a.test.js"},
		{"jest", "a.test.ts", "--runTestsByPath a.test.ts"},
		{"jest lib/", "src/lib/a.test.ts", "--runTestsByPath src/lib/a.test.ts"},
		// The runner takes what was built of the file, and the file itself says nothing to it.
		{"tsc && node --test dist/", "test/a.test.ts", ""},
		{"tsc && mocha 'dist/test/**/*.js'", "test/a.ts", ""},
		{"tsc && jest dist/", "test/a.test.ts", ""},
		{"c8 --100 node --test test/", "test/a.test.js", "--test test/a.test.js"},
		{"eslint lib test && node --test", "test/a.test.js", "true && node --test-reporter=junit --test-reporter-destination=/r/x --test-reporter=spec --test-reporter-destination=stdout --test test/a.test.js"},
		{"node --test './test/**/*.test.js'", "test/a.test.js", "--test test/a.test.js"},
		{"python -m unittest", "test_a.py", ""},
	}
	for _, tt := range tests {
		r := repo(nil)
		got, ok := grade.Ask(tt.cmd, r).Select(strings.Fields(tt.files), r.Has)
		line, _ := got.Filled("/r/x")
		if ok != (tt.want != "") || ok && !strings.HasSuffix(line, tt.want) {
			t.Errorf("%q with %s: %v %s", tt.cmd, tt.files, ok, line)
		}
	}
}

// TestWithout: a test that takes its package with it is left out by name, and files
// can be selected all the same.
func TestWithout(t *testing.T) {
	r := repo(nil)
	for _, tt := range []struct{ cmd, want string }{
		{"go test ./...", "go test -json -count=1 -skip '^(TestA|TestB)$' ./a"},
		{"go test -race ./... ./tools/...", "go test -json -count=1 -skip '^(TestA|TestB)$' -race ./a"},
		{"go test -skip TestC ./...", ""},
		{"pytest", ""},
	} {
		plan, ok := grade.Ask(tt.cmd, r).Without([]string{"m/a::TestA/sub", "m/b::TestB", "m/a::TestA"})
		few, _ := plan.Select([]string{"a/x_test.go"}, r.Has)
		if line, _ := few.Filled("/r/x"); ok != (tt.want != "") || ok && line != tt.want {
			t.Errorf("%q: %v %s", tt.cmd, ok, line)
		}
	}
}

// Variables of two runners are no trouble, unless they are one variable with two
// reports.
func TestVariablesOfTwoRunners(t *testing.T) {
	for command, want := range map[string]string{
		"vitest run":                             "CI=true",
		"vitest run && playwright test":          "CI=true PLAYWRIGHT_JSON_OUTPUT_NAME={bare report}.playwright",
		"vitest run && vitest run b":             "CI=true CI=true",
		"playwright test a && playwright test b": "",
	} {
		p := grade.Ask(command, repo(nil))
		if got := strings.Join(p.Env, " "); want != "" && got != want || want == "" && !p.Stdout {
			t.Errorf("%s: %+v", command, p)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"**/target/*-reports/TEST-*.xml", "target/surefire-reports/TEST-a.xml", true},
		{"**/target/*-reports/TEST-*.xml", "a/b/target/failsafe-reports/TEST-a.xml", true},
		{"**/target/*-reports/TEST-*.xml", "a/target/x/surefire-reports/TEST-a.xml", false},
		{"./out/**", "out/a/b.xml", true},
		{"out/*.xml", "out/a/b.xml", false},
		{"out/[.xml", "out/[.xml", false},
	} {
		if got := grade.Match(tt.pattern, tt.file); got != tt.want {
			t.Errorf("%s on %s: %v", tt.pattern, tt.file, got)
		}
	}
}

// TestReachedBy: a variable is set where its runner may be, unless the command
// sets it or could not bear it.
func TestReachedBy(t *testing.T) {
	tests := []struct{ cmd, files, script, names, globs string }{
		{"make test", "", "", "PYTEST_ADDOPTS", ""},
		{"make test", "package.json", "", "NODE_OPTIONS PYTEST_ADDOPTS", ""},
		{"npm test", "package.json", "node --test --test-reporter=tap | tap-spec", "NODE_OPTIONS PYTEST_ADDOPTS", ""},
		{"NODE_OPTIONS=-x make", "package.json", "", "PYTEST_ADDOPTS", ""},
		{"make test", "CMakeLists.txt", "", "GTEST_OUTPUT PYTEST_ADDOPTS", ""},
		{"make -j4 test", "CMakeLists.txt", "", "PYTEST_ADDOPTS", ""},
		{"rake", "Rakefile", "", "PYTEST_ADDOPTS SPEC_OPTS TESTOPTS", ""},
		{"make test", "go.mod", "", "GOFLAGS GOTESTSUM_JSONFILE PYTEST_ADDOPTS", ""},
		{"tox", "tox.ini", "", "PYTEST_ADDOPTS TOX_OVERRIDE TOX_TESTENV_PASSENV", ""},
		{"make test", "pom.xml", "", "MAVEN_ARGS PYTEST_ADDOPTS", "**/target/*-reports/TEST-*.xml"},
		{"ninja -C build test", "meson.build", "", "GTEST_OUTPUT PYTEST_ADDOPTS", "**/meson-logs/testlog*.junit.xml"},
		{"go test ./...", "go.mod", "", "", ""},
	}
	for _, tt := range tests {
		p := grade.Ask(tt.cmd, grade.Repo{
			Script: func(string, string) string { return tt.script },
			Has:    func(path string) bool { return path == tt.files },
		})
		var names []string
		for _, entry := range p.Env {
			name, _, _ := strings.Cut(entry, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != tt.names || p.Globs != tt.globs {
			t.Errorf("%q with %s: %s, %s", tt.cmd, tt.files, got, p.Globs)
		}
	}
}

// TestScriptsThatNameEachOther: reading them ends.
func TestScriptsThatNameEachOther(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("npm test && ", 500), " && ")
	p := grade.Ask("npm test", repo(map[string]string{"test": long}))
	if p.Line != "npm test" {
		t.Errorf("runs %q", p.Line)
	}
}

// TestFilled: a path is a word in a shell line, itself in a variable that holds
// just it, and letters of an address in one.
func TestFilled(t *testing.T) {
	const odd = "/r/it's \"x\""
	p := grade.Plan{Line: "run " + grade.Place, Env: []string{"A=" + grade.Bare + "/", "B=" + grade.Escaped, "C=" + grade.Place + ".x"}}
	line, env := p.Filled(odd)
	want := []string{`run '/r/it'\''s "x"'`, `A=/r/it's "x"/`, `B=%2Fr%2Fit%27s%20%22x%22`, `C='/r/it'\''s "x"'.x`}
	if diff := cmp.Diff(want, append([]string{line}, env...)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzAsk: whatever a command line and a script are, a plan keeps its parts, and
// no placeholder is left in it.
func FuzzAsk(f *testing.F) {
	for _, cmd := range []string{"npm test && pytest -q", "cd a && mocha -R x b.js && node --test", "A=b ruby -w test/a_test.rb", "npx playwright test a", "make 'x y'", "bun test --reporter junit"} {
		f.Add(cmd, "yarn unit && jest")
	}
	f.Fuzz(func(t *testing.T, cmd, script string) {
		if strings.Contains(cmd+script, "report}") {
			return
		}
		p := grade.Ask(cmd, grade.Repo{Script: func(string, string) string { return script }, Has: func(string) bool { return true }})
		line, env := p.Filled("/r/x")
		if strings.Contains(line+strings.Join(env, ""), "report}") || p.Origin != cmd {
			t.Fatalf("%q: %q %q", cmd, line, env)
		}
		if some, ok := p.Select([]string{"test/a.test.js"}, func(string) bool { return true }); ok && !strings.Contains(some.Line, "a.test.js") {
			t.Fatalf("%q: %q selects nothing", cmd, some.Line)
		}
	})
}
