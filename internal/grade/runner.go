package grade

import (
	"path"
	"strings"
)

// runner is a program that runs tests, and how it is asked for a report.
type runner struct {
	name    string
	format  Format
	flags   string // put behind the words that start it; Place is the report's path
	stdout  bool
	selects string   // how it takes files: see selection
	refuses []string // flags that mean that it reports already, or never ends
	globs   string   // where its reports lie in the copy; "" when it takes a place for them
	drops   []string // flags with a value that the report's own stand in for
}

// runners are the programs that are asked for a report. Where the words that
// start one are several, they follow each other.
func runners() map[string]runner {
	pytest := runner{
		name: "pytest", format: JUnit, selects: "files", refuses: []string{"--junitxml", "--junit-xml"},
		// xunit1 says in which file a test is; a root of its own keeps names the same when files are selected.
		flags: " --junitxml=" + Place + " -o junit_family=xunit1 -p no:cacheprovider --rootdir=.",
	}
	return map[string]runner{
		"pytest": pytest, "py.test": pytest, "python -m pytest": pytest,
		"python -m unittest": {name: "unittest", format: Unittest, stdout: true, flags: " -v"},
		"go test":            {name: "go test", format: Go, stdout: true, flags: " -json -count=1", selects: "packages", refuses: []string{"-json", "-c", "-args"}},
		"node":               {name: "node:test", format: JUnit, selects: "files", refuses: []string{"--test-reporter"}, flags: " --test-reporter=junit --test-reporter-destination=" + Place + " --test-reporter=spec --test-reporter-destination=stdout"},
		"jest":               {name: "jest", format: Jest, selects: "jest", refuses: []string{"--json", "--outputFile"}, flags: " --ci --json --outputFile=" + Place},
		"vitest":             vitest(" --run"), "vitest run": vitest(""),
		"mocha": {name: "mocha", format: Mocha, selects: "files", refuses: []string{"-w", "--watch"}, drops: []string{"-R", "--reporter", "-O", "--reporter-option", "--reporter-options"}, flags: " --reporter json --reporter-option output=" + Place},
		"ava":   {name: "ava", format: TAP, stdout: true, refuses: []string{"--tap"}, flags: " --tap"},
		"bats":  {name: "bats", format: TAP, stdout: true, selects: "files", refuses: []string{"-F", "--formatter"}, flags: " --tap"},
		// Without --no-fail-fast the binaries after the first failing one never run.
		"cargo test": {name: "cargo test", format: Libtest, stdout: true, refuses: []string{"--format", "-q", "--quiet"}, flags: " --no-fail-fast"},
		"rspec":      {name: "rspec", format: RSpec, selects: "files", refuses: []string{"-o", "--out"}, flags: " --format json --out " + Place},
		"phpunit":    {name: "phpunit", format: JUnit, refuses: []string{"--log-junit"}, flags: " --log-junit " + Place},
		// These three were not at hand: their flags and places are from their manuals.
		"mvn": maven(), "mvnw": maven(), "gradle": gradle(), "gradlew": gradle(),
		"dotnet test": {name: "dotnet test", format: TRX, globs: "**/TestResults/*.trx", refuses: []string{"--logger", "-l", "--results-directory", "-r"}, flags: " --logger trx"},
		"ctest":       {name: "ctest", format: JUnit, refuses: []string{"--output-junit"}, flags: " --output-junit " + Place},
	}
}

func vitest(once string) runner {
	return runner{
		name: "vitest", format: Jest, selects: "files", refuses: []string{"--watch", "-w"}, drops: []string{"--reporter", "--outputFile"},
		flags: once + " --reporter=json --outputFile=" + Place,
	}
}

func maven() runner {
	return runner{name: "Maven", format: JUnit, globs: "**/target/*-reports/TEST-*.xml", flags: " -fae"}
}

// gradle runs its tests again when their reports are gone.
func gradle() runner {
	return runner{name: "Gradle", format: JUnit, globs: "**/build/test-results/*/TEST-*.xml", flags: " --continue"}
}

// runnerOf finds the runner that a command starts, and its last word.
func runnerOf(c command) (r runner, at int, ok bool) {
	if len(c) == 0 {
		return r, 0, false
	}
	all, name := runners(), program(c[0].text)
	if len(c) > 1 {
		if r, ok = all[name+" "+c[1].text]; ok {
			return r, 1, true
		}
	}
	if r, ok = all[name]; ok {
		return r, 0, name != "node" || testMode(c)
	}
	if name == "python" {
		for at := 1; at+1 < len(c); at++ {
			if c[at].text == "-m" {
				r, ok = all["python -m "+c[at+1].text]
				if r.name == "unittest" && at+2 < len(c) && c[at+2].text == "discover" {
					at++ // takes flags of its own
				}
				return r, at + 1, ok
			}
			if !strings.HasPrefix(c[at].text, "-") {
				break
			}
		}
	}
	return r, 0, false
}

// testMode: only node --test reports tests.
func testMode(c command) bool {
	for _, w := range c[1:] {
		if w.text == "--test" {
			return true
		}
	}
	return false
}

// program is what a path starts, without versions: python3.12 is python.
func program(text string) string {
	name := strings.TrimSuffix(path.Base(text), ".js")
	if rest, ok := strings.CutPrefix(name, "python"); ok && strings.Trim(rest, "0123456789.") == "" {
		return "python"
	}
	return strings.TrimPrefix(name, "_") // mocha's own _mocha
}
