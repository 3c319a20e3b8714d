package decider

import (
	"slices"
	"strings"
)

// runsTests judges targets: by their words, by the test command, and those that
// could be any name.
func runsTests(targets, testCmd string) bool {
	for _, target := range strings.Fields(targets) {
		switch {
		case strings.HasPrefix(target, ".") && strings.ToUpper(target) == target, strings.Contains(target, "$"):
			return true
		case strings.Contains(target, "%") && !strings.ContainsAny(target, "./"):
			return true
		case slices.ContainsFunc(wordsOf(target), testWord), slices.Contains(strings.Fields(testCmd), target):
			return true
		}
	}
	return false
}

// mentionsTests tells whether a recipe starts a test runner.
func mentionsTests(recipe string) bool { return slices.ContainsFunc(wordsOf(recipe), testWord) }

func testWord(word string) bool {
	switch strings.ToLower(word) {
	case "test", "tests", "check", "checks", "spec", "specs", "unit", "unittest", "unittests", "integration", "e2e", "coverage", "cov", "ci",
		"verify", "pytest", "tox", "nox", "jest", "mocha", "vitest", "ava", "rspec", "minitest", "phpunit", "ctest", "bats", "tap", "prove",
		"gotestsum", "nextest":
		return true
	}
	return false
}

// wordsOf are the runs of letters, digits, dots and underscores in a text.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || '9' < r) && (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r)
	})
}
