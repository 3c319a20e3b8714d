package task

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestClassOf(t *testing.T) {
	tests := map[Class][]string{
		Test: {
			"test_x.py", "a/x_test.py", "conftest.py", "noxfile.py", "x_test.go", "x_spec.rb", "x_test.exs", "a.test.js", "a.spec.ts", "a.test.cjs",
			"a.spec.mtsx", ".test.js", "XTest.java", "XTests.kt", "Test.scala", "XTest.swift", "XTest.php", "XTests.cs",
			"test/a.c", "a/tests/b.txt", "__tests__/x.js", "spec/x.rb", "specs/x", "testdata/x.json", "a/__snapshots__/b", "__mocks__/c.js",
			"pytest.ini", "tox.ini", "phpunit.xml", "phpunit.xml.dist", ".mocharc", ".mocharc.yml", ".nycrc", ".nycrc.json", ".rspec", ".rspec-local",
			"jest.config.js", "jest.conf.json", "vitest.config.mts", "karma.conf.cjs", "ava.config.js", "playwright.config.ts",
		},
		Doc: {"README.md", "a.rst", "a.TXT", "LICENSE", "licence.code", "CHANGELOG", "Changes.x", "doc/a.py", "a/Docs/b.go", "x.adoc", "notice"},
		Source: {
			"a.py", "testing/a.py", "Tests/a.swift", "contest.py", "latest_.py", "a.PY", "test.go", "spec.rb", "a.test.rb", "a_test.js", "Contest.jav.java", "x.ps1",
			"Test.java/x.java", "jest.config.x.js", "jest.js", "ava.conf.js", "a.h", "testlib.rs",
		},
		Other: {"package.json", "Makefile", "a.bin", ".bashrc", "..py", "a.yml", "test", "LICENSES", ".mocharc.", ".mocharc.a-b", "mocharc.yml", "phpunit.xml.bak", "jest.config.toml"},
	}
	for want, paths := range tests {
		for _, path := range paths {
			if got := Narrow.ClassOf(path); got != want {
				t.Errorf("%s: class %d, want %d", path, got, want)
			}
		}
	}
}

// TestWideClasses: whatever the narrow rules call a test stays one.
func TestWideClasses(t *testing.T) {
	tests := map[Class][]string{
		Test: {
			"Tests/FooTests/FooTests.swift", "Tests/a.swift", "Test/a.cs", "Spec/a.lua", "src/test/java/org/x/Helper.java", "src/Foo.Tests/Foo.cs", "Foo.Test/A.cs", "AppUITests/A.swift",
			"MyAppTests/Info.plist", "regex-tests/src/lib.rs", "ui_tests/a.rs", "src/integrationTest/kotlin/A.kt", "src/commonTest/kotlin/A.kt", "test-data/a.bin", "e2e/login.ts",
			"app/tests.py", "test/x_test.rb", "lib/test_x.rb", "AppSpec.scala", "AppSuite.scala", "UserIT.java", "XTestCase.java", "StackSpec.groovy", "SumTest.groovy", "UserSpecs.cs", "SumTests.fs",
			"LoginCest.php", "a-test.js", "a_test.ts", "app.e2e-spec.ts", "login.cy.tsx", "index.test-d.ts", "src/parse/tests.rs", "src/parse_test.rs", "sum_test.cpp", "base_unittest.cc", "test_sum.c",
			"FooTests.m", "lib/a_test.dart", "a_SUITE.erl", "a_tests.erl", "FooSpec.hs", "Spec.hs", "test_a.ml", "core_test.clj", "x_spec.lua", "a_spec.cr", "test-a.R", "runtests.jl", "A.Tests.ps1",
			"Token.t.sol", "foo-test.el", "foo-tests.el", "test-foo.el", "a_test.sh", "a.bats", "t/basic.t", "t/lib.pl", "xt/author.t", "x.phpt", "a.feature", "a.robot", "src/snapshots/a.snap", "AUnit2Test.java",
			"test_x.py", "x_test.go", "__tests__/x.js", "pytest.ini", "jest.config.js",
			"test.js", "test.ts", "test.sh", "test.py", "tests.c", // nothing came of a package whose only tests they are
		},
		Source: {
			"src/test.js", "cmd/test.sh", "test.rs", "test.java",
			"testing/a.py", "contest.py", "latest/a.js", "latest_.py", "test.go", "spec.rb", "test-utils.js", "packages/test-utils/src/a.ts", "src/commands/test.rs", "src/test.rs", "TestRunner.java",
			"AUDIT.java", "EXIT.kt", "Inspec.scala", "Contest.cs", "lib/Test/More.pm", "src/Symfony/Component/Form/Test/FormInterface.php", "src/contest/a.c", "protests/a.c", "spring-test/src/main/A.java",
			"src/t/a.js", "i18n/t/a.js", "attest.hs", "testify/assert.go", "unittest.rs", "specification/a.rb", "a.el", "x.gleam", "AutoSpec/a.rb", "testsuite.c",
			"doc/man_docs.go", "docs/docs.go", "libexec/bats-core/bats-format-tap13", "bin/bats", "exe/tool",
		},
		Other: {"bin/.gitkeep", "binary", "package.json", "Makefile", "a.bin", ".t", ".snap", "t"},
		Doc:   {"README.md", "docs/tests.md", "a.txt", "docs/conf.py", "doc/changes.go.md"},
	}
	for want, paths := range tests {
		for _, path := range paths {
			if got := Wide.ClassOf(path); got != want {
				t.Errorf("%s: class %d, want %d", path, got, want)
			}
		}
	}
}

func FuzzWideKeepsTests(f *testing.F) {
	f.Add("Tests/a.swift")
	f.Add("a/x.t")
	f.Fuzz(func(t *testing.T, path string) {
		narrow, wide := Narrow.ClassOf(path), Wide.ClassOf(path)
		if narrow == Test && wide != Test || narrow == Source && wide == Other {
			t.Errorf("%q: class %d, by wide rules %d", path, narrow, wide)
		}
	})
}

func TestTouchesManifest(t *testing.T) {
	for path, want := range map[string]bool{
		"package.json": true, "a/b/pnpm-lock.yaml": true, "requirements.txt": true, "requirements-dev_3.9.txt": true, "bun.lock": true, "bun.lockb": true,
		"go.sum": true, "setup.py": true, "Gemfile.lock": true, "requirements dev.txt": false, "requirements.in": false, "package.json/x": false, "my-package.json": false,
		"requirements/dev.txt": false, "requirements.txt.bak": false,
	} {
		if got := TouchesManifest([]string{"src/a.py", path}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ message, subject, body string }{
		{"Fix it", "Fix it", ""},
		{"  Fix it \n\n\nWhy.\n\n  \n\nMore.\n", "Fix it", "Why.\n\nMore."},
		{"Fix it\n\nWhy.\n\nCo-Authored-By: A <a@b>\nSigned-off-by: B\n", "Fix it", "Why."},
		{"Fix it\n\nSigned-off-by: B", "Fix it", ""},
		{"Fix it\nSigned-off-by: B", "Fix it", ""},
		{"Fix it\n\nNote: this stays\nbecause of this line", "Fix it", "Note: this stays\nbecause of this line"},
		{"Fix it\n\nA-1: x\n\nWhy: because", "Fix it", "A-1: x"},
		{"Fix it\n\n1A: x", "Fix it", "1A: x"},
		{"Fix it\n\nKey:  two spaces", "Fix it", "Key:  two spaces"},
		{"Fix it\n\nKey: ", "Fix it", "Key:"},
		{"Fix \xff it\r\n\r\nBody\r\n", "Fix \ufffd it", "Body"},
		{"", "", ""},
	}
	for _, tt := range tests {
		if subject, body := Text(tt.message); subject != tt.subject || body != tt.body {
			t.Errorf("%q: %q, %q; want %q, %q", tt.message, subject, body, tt.subject, tt.body)
		}
	}
}

func TestSince(t *testing.T) {
	for text, want := range map[string]string{
		"365d": "365 days ago", "007d": "7 days ago", "0d": "0 days ago", "2026-01-15": "2026-01-15",
		"": "", "d": "", "-1d": "", "2026-02-30": "", "2026-1-5": "", "365": "", "1 d": "", "0000-01-01": "", "yesterday": "",
	} {
		if got, err := Since(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestCandidateOf(t *testing.T) {
	many := make([]string, MaxFiles+1)
	for i := range many {
		many[i] = "a.py"
	}
	parent := []string{"p"}
	tests := []struct {
		change Change
		why    string
	}{
		{Change{Parents: parent, Paths: []string{"a.py", "tests/a.py"}}, ""},
		{Change{Parents: parent, Paths: append(many[:MaxFiles-1:MaxFiles-1], "tests/a.py")}, ""},
		{Change{Paths: many, Long: true}, FirstCommit},
		{Change{Parents: parent, Paths: many}, TooLarge},
		{Change{Parents: parent, Paths: []string{"a.md"}, Long: true}, TooLarge},
		{Change{Parents: parent, Paths: []string{"a.md", "b.json", "tests/a.py"}}, NoSource},
		{Change{Parents: parent}, NoSource},
		{Change{Parents: parent, Paths: []string{"a.py", "README.md"}}, NoTests},
		{Change{Parents: parent, Damaged: true}, Unreadable},
	}
	for _, tt := range tests {
		if _, why := Narrow.CandidateOf(tt.change); why != tt.why {
			t.Errorf("%+v: %q, want %q", tt.change, why, tt.why)
		}
	}
	got, _ := Narrow.CandidateOf(Change{Commit: "c", Parents: []string{"p", "q"}, Paths: []string{"README.md", "a.py", "data.json", "tests/a.py"}})
	want := Candidate{Commit: "c", Parent: "p", HiddenTests: []string{"tests/a.py"}, GoldFiles: []string{"README.md", "a.py", "data.json"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("candidate (-want +got):\n%s", diff)
	}
	if n := Narrow.goldLines(map[string]int{"README.md": 1, "a.py": 20, "data.json": 300, "tests/a.py": 4000}); n != 320 {
		t.Errorf("%d gold lines", n)
	}
}

func TestDetectTestCmd(t *testing.T) {
	const script = `{"scripts":{"test":"node x"}}`
	tests := []struct {
		name        string
		files       map[string]string
		cmd, source string
	}{
		{"nothing", map[string]string{"README.md": ""}, "", ""},
		{"npm", map[string]string{"package.json": script, "go.mod": ""}, "npm test", "package.json scripts.test"},
		{"pnpm", map[string]string{"package.json": script, "pnpm-lock.yaml": "", "yarn.lock": ""}, "pnpm test", "package.json scripts.test"},
		{"yarn", map[string]string{"package.json": script, "yarn.lock": "", "bun.lock": ""}, "yarn test", "package.json scripts.test"},
		{"bun", map[string]string{"package.json": script, "bun.lockb": ""}, "bun run test", "package.json scripts.test"},
		{"placeholder", map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`, "go.mod": ""}, "go test ./...", "go.mod"},
		{"no script", map[string]string{"package.json": `{"scripts":{"test":"  "}}`, "Cargo.toml": ""}, "cargo test", "Cargo.toml"},
		{"odd package.json", map[string]string{"package.json": `{"scripts":[1]}`, "Cargo.toml": ""}, "cargo test", "Cargo.toml"},
		{"odd script", map[string]string{"package.json": `{"scripts":{"test":["a"]}}`, "Cargo.toml": ""}, "cargo test", "Cargo.toml"},
		{"broken package.json", map[string]string{"package.json": `{`, "Cargo.toml": ""}, "cargo test", "Cargo.toml"},
		{"pytest.ini", map[string]string{"pytest.ini": "", "go.mod": ""}, "python3 -m pytest -q", "pytest.ini"},
		{"pyproject", map[string]string{"pyproject.toml": "[tool.pytest.ini_options]", "uv.lock": ""}, "uv run pytest -q", "pyproject.toml"},
		{"pyproject without", map[string]string{"pyproject.toml": "[tool.black]", "setup.cfg": "[tool:pytest]"}, "python3 -m pytest -q", "setup.cfg"},
		{"tox", map[string]string{"tox.ini": "[pytest]"}, "python3 -m pytest -q", "tox.ini"},
		{"conftest", map[string]string{"test/conftest.py": ""}, "python3 -m pytest -q", "test/conftest.py"},
		{"test files", map[string]string{"tests/test_a.py": ""}, "python3 -m pytest -q", "test files in tests/"},
		{"other files in tests", map[string]string{"tests/a_test.py": "", "Makefile": "all:\n\ntest : all\n"}, "make test", "Makefile test target"},
		{"rake", map[string]string{"Rakefile": "require 'rake/testtask'\nRake::TestTask.new do |t|\nend\n"}, "rake test", "Rakefile test task"},
		{"rake by hand", map[string]string{"Rakefile": "desc 'all'\ntask :test => %w[test:regular]\n", "Gemfile": ""}, "bundle exec rake test", "Rakefile test task"},
		{"rake's newer form", map[string]string{"Rakefile": "Minitest::TestTask.create(:test) do |t|\n"}, "rake test", "Rakefile test task"},
		{"rake, another name", map[string]string{"Rakefile": "Rake::TestTask.new(:spec) do |t|\n# task :test\ntask :testing\n"}, "", ""},
		{"rake for specs", map[string]string{"Rakefile": "RSpec::Core::RakeTask.new\n", ".rspec": "", "Gemfile": ""}, "bundle exec rspec", ".rspec"},
		{"rails", map[string]string{"bin/rails": "", "test/test_helper.rb": "", "Rakefile": "Rails.application.load_tasks\n"}, "bin/rails test", "bin/rails"},
		{"rspec", map[string]string{"spec/spec_helper.rb": ""}, "rspec", "spec/spec_helper.rb"},
		{"mix", map[string]string{"mix.exs": ""}, "mix test", "mix.exs"},
		{"maven", map[string]string{"pom.xml": ""}, "mvn -B test", "pom.xml"},
		{"maven's wrapper", map[string]string{"pom.xml": "", "mvnw": ""}, "./mvnw -B test", "pom.xml"},
		{"gradle", map[string]string{"build.gradle.kts": "", "gradlew": ""}, "./gradlew test", "build.gradle.kts"},
		{"gradle without wrapper", map[string]string{"settings.gradle": ""}, "gradle test", "settings.gradle"},
		{"phpunit", map[string]string{"phpunit.xml.dist": ""}, "vendor/bin/phpunit", "phpunit.xml.dist"},
		{"dotnet", map[string]string{"App.sln": ""}, "dotnet test", "App.sln"},
		{"two solutions", map[string]string{"App.sln": "", "Old.sln": ""}, "", ""},
		{"what the Python program finds goes first", map[string]string{"Rakefile": "task :test\n", "Makefile": "test:\n"}, "make test", "Makefile test target"},
		{"no target", map[string]string{"Makefile": "tests:\n  test:\n.PHONY: test\n"}, "", ""},
	}
	for _, tt := range tests {
		fs := fstest.MapFS{}
		for name, text := range tt.files {
			fs[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if cmd, source := DetectTestCmd(fs); cmd != tt.cmd || source != tt.source {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, cmd, source, tt.cmd, tt.source)
		}
	}
}
