package grade

// runner is a program that runs tests, and how it is asked for a report.
type runner struct {
	name    string
	format  Format
	flags   string // put behind the words that start it; Place is the report's path
	atEnd   bool   // the flags are put behind all words, because they are for a script
	env     []string
	stdout  bool
	selects string   // how it takes files: see selection
	refuses []string // flags that mean that it reports already, or never ends
	globs   string   // where its reports lie in the copy; "" when it takes a place for them
	drops   []string // flags with a value that the report's own stand in for
}

// runners are the programs that are asked for a report, by the words that start
// them. What each prints or writes is in testdata, recorded where its README does
// not say otherwise.
func runners() map[string]runner {
	all := map[string]runner{}
	for _, group := range []map[string]runner{pythonRunners(), scriptRunners(), rubyRunners(), compiledRunners(), jvmRunners(), otherRunners()} {
		for words, r := range group {
			all[words] = r
		}
	}
	return all
}

func pythonRunners() map[string]runner {
	pytest := runner{
		name: "pytest", format: JUnit, selects: "files", refuses: []string{"--junitxml", "--junit-xml"},
		// xunit1 says in which file a test is; a root of its own keeps names the same when files are selected.
		flags: " --junitxml=" + Place + " -o junit_family=xunit1 -p no:cacheprovider --maxfail=0 --rootdir=.",
	}
	return map[string]runner{
		"pytest": pytest, "py.test": pytest, "python -m pytest": pytest,
		"python -m unittest": {name: "unittest", format: Unittest, stdout: true, flags: " -v"},
		"manage.py test":     {name: "Django", format: Unittest, stdout: true, flags: " -v 2", drops: []string{"-v", "--verbosity"}},
	}
}

func scriptRunners() map[string]runner {
	return map[string]runner{
		"node":   {name: "node:test", format: JUnit, selects: "files", refuses: []string{"--test-reporter"}, flags: " --test-reporter=junit --test-reporter-destination=" + Place + " --test-reporter=spec --test-reporter-destination=stdout"},
		"jest":   {name: "jest", format: Jest, selects: "jest", refuses: []string{"--json", "--outputFile"}, flags: " --ci --bail=0 --coverage=false --json --outputFile=" + Place},
		"vitest": vitest(" --run"), "vitest run": vitest(""),
		"mocha": {name: "mocha", format: Mocha, selects: "files", refuses: []string{"-w", "--watch"}, drops: []string{"-R", "--reporter", "-O", "--reporter-option", "--reporter-options"}, flags: " --no-bail --reporter json --reporter-option output=" + Place},
		"ava":   {name: "ava", format: TAP, stdout: true, refuses: []string{"--tap"}, flags: " --tap"},
		"tape":  {name: "tape", format: TAP, stdout: true},
		"tap":   {name: "tap", format: TAP, stdout: true, drops: []string{"-R", "--reporter"}, flags: " --reporter=tap"},
		// Bun leaves a file that does not load out of its report.
		"bun test":        {name: "bun test", format: JUnit, selects: "files", refuses: []string{"--watch"}, drops: []string{"--reporter", "--reporter-outfile"}, flags: " --reporter=junit --reporter-outfile=" + Place},
		"deno test":       {name: "deno test", format: JUnit, refuses: []string{"--watch", "--junit-path"}, flags: " --junit-path=" + Place},
		"playwright test": {name: "Playwright", format: Play, refuses: []string{"--ui"}, drops: []string{"--reporter"}, flags: " --reporter=json", env: []string{"PLAYWRIGHT_JSON_OUTPUT_NAME=" + Bare}},
	}
}

// vitest writes snapshots that are missing, and is content, unless this is CI. Jest
// has a flag for that.
func vitest(once string) runner {
	return runner{
		env:  []string{"CI=true"},
		name: "vitest", format: Jest, selects: "files", refuses: []string{"--watch", "-w"}, drops: []string{"--reporter", "--outputFile"},
		flags: once + " --bail=0 --coverage.enabled=false --reporter=json --outputFile=" + Place,
	}
}

func rubyRunners() map[string]runner {
	rails := runner{name: "minitest", format: Minitest, stdout: true, flags: " --verbose"}
	script := rails
	script.atEnd = true
	return map[string]runner{
		"rspec": {name: "rspec", format: RSpec, selects: "files", refuses: []string{"-o", "--out"}, flags: " --no-fail-fast --format json --out " + Place},
		"ruby":  script, "rails test": rails,
	}
}

func compiledRunners() map[string]runner {
	nextest := runner{
		name: "cargo nextest", format: Nextest, stdout: true, refuses: []string{"--message-format"},
		flags: " --no-fail-fast --message-format libtest-json", env: []string{"NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1"},
	}
	return map[string]runner{
		"go test": {name: "go test", format: Go, stdout: true, flags: " -json -count=1", selects: "packages", refuses: []string{"-json", "-c", "-args"}},
		// Without --no-fail-fast the binaries after the first failing one never run.
		"cargo test":        {name: "cargo test", format: Libtest, stdout: true, refuses: []string{"--format"}, flags: " --no-fail-fast"},
		"cargo nextest run": nextest, "cargo nextest r": nextest,
		"ctest":      {name: "ctest", format: JUnit, refuses: []string{"--output-junit"}, flags: " --output-junit " + Place},
		"meson test": {name: "meson test", format: JUnit, globs: mesonLogs},
		"swift test": {name: "swift test", format: JUnit, refuses: []string{"--xunit-output"}, flags: " --parallel --xunit-output " + Place},
	}
}

const (
	mesonLogs   = "**/meson-logs/testlog*.junit.xml"
	mavenFiles  = "**/target/*-reports/TEST-*.xml"
	gradleFiles = "**/build/test-results/*/TEST-*.xml"
	sbtFiles    = "**/target/**/test-reports/*.xml"
)

func jvmRunners() map[string]runner {
	maven := runner{name: "Maven", format: JUnit, globs: mavenFiles, flags: " -fae"}
	gradle := runner{name: "Gradle", format: JUnit, globs: gradleFiles, flags: " --continue"} // runs its tests again when their reports are gone
	// Bazel's own reports lie outside the copy; its events know each target's result.
	bazel := runner{name: "Bazel", format: Bazel, refuses: []string{"--build_event_json_file"}, flags: " --keep_going --nocache_test_results --build_event_json_file=" + Place}
	return map[string]runner{
		"mvn": maven, "mvnw": maven, "gradle": gradle, "gradlew": gradle, "sbt": {name: "sbt", format: JUnit, globs: sbtFiles},
		"bazel test": bazel, "bazelisk test": bazel,
		"dotnet test": {name: "dotnet test", format: TRX, globs: "**/TestResults/*.trx", refuses: []string{"--logger", "-l", "--results-directory", "-r"}, flags: " --logger trx"},
	}
}

func otherRunners() map[string]runner {
	return map[string]runner{
		"bats":     {name: "bats", format: TAP, stdout: true, selects: "files", refuses: []string{"-F", "--formatter"}, flags: " --tap"},
		"phpunit":  {name: "phpunit", format: JUnit, refuses: []string{"--log-junit"}, flags: " --log-junit " + Place},
		"mix test": {name: "ExUnit", format: ExUnit, stdout: true, selects: "files", refuses: []string{"--formatter"}, flags: " --trace"},
		"busted":   {name: "busted", format: TAP, stdout: true, drops: []string{"-o", "--output"}, flags: " -o TAP"},
	}
}
