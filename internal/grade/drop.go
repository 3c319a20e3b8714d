package grade

import (
	"slices"
	"strings"
)

// halts are the flags with which a runner ends at a failure, and those that say
// once more what ours say, where it refuses that. A suite in which a test fails
// anyway would tell of no test after that one. A number may follow them. Coverage is
// among them: its bounds fail a run without a test that failed. So is what makes a
// runner quiet whose text is its report.
func halts(runner string) []string {
	switch runner {
	case "pytest":
		return []string{"-x", "--exitfirst", "--maxfail"}
	case "unittest":
		return []string{"-f", "--failfast", "-q", "--quiet"}
	case "Django":
		return []string{"--failfast"}
	case "mocha", "tap":
		return []string{"-b", "--bail"}
	case "jest":
		return []string{"-b", "--bail", "--coverage", "--collectCoverage"}
	case "vitest":
		return []string{"--bail", "--coverage", "--coverage.enabled"}
	case "bun test":
		return []string{"--bail"}
	case "ava", "rspec", "deno test":
		return []string{"--fail-fast"}
	case "minitest":
		return []string{"-f", "--fail-fast"}
	case "Playwright":
		return []string{"-x", "--max-failures"}
	case "go test":
		return []string{"-failfast", "--failfast"}
	case "cargo test":
		return []string{"--no-fail-fast", "-q", "--quiet"}
	case "cargo nextest":
		return []string{"--no-fail-fast", "--fail-fast", "--max-fail"}
	case "ctest":
		return []string{"--stop-on-failure"}
	case "Maven":
		return []string{"-ff", "--fail-fast"}
	case "phpunit":
		return []string{"--stop-on-defect", "--stop-on-error", "--stop-on-failure"}
	case "ExUnit":
		return []string{"--max-failures"}
	case "busted":
		return []string{"--no-keep-going"}
	}
	return nil
}

// goOn takes the flags out of a line with which its runner ends at a failure.
func goOn(line string, c command, at int, runner string) (string, command) {
	flags := halts(runner)
	for i := len(c) - 1; i > at; i-- {
		if name, _, _ := strings.Cut(c[i].text, "="); !slices.Contains(flags, name) {
			continue
		}
		last := i
		if i+1 < len(c) && strings.Trim(c[i+1].text, "0123456789") == "" {
			last++
		}
		line, c = without(line, c, i, last)
	}
	return line, c
}

// drop takes flags and their values out of a line.
func drop(line string, c command, at int, flags []string) (string, command) {
	for i := len(c) - 1; i > at; i-- {
		name, _, joined := strings.Cut(c[i].text, "=")
		if !slices.Contains(flags, name) {
			continue
		}
		last := i
		if !joined && i+1 < len(c) {
			last = i + 1
		}
		line, c = without(line, c, i, last)
	}
	return line, c
}

// without is a line without some of a command's words.
func without(line string, c command, first, last int) (string, command) {
	from, to := c[first-1].to, c[last].to
	rest := slices.Clone(c[last+1:])
	for k := range rest {
		rest[k].from, rest[k].to = rest[k].from-(to-from), rest[k].to-(to-from)
	}
	return line[:from] + line[to:], append(slices.Clone(c[:first]), rest...)
}
