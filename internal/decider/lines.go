package decider

import (
	"path"
	"slices"
	"strings"
)

// byLines knows build files in languages that are not read here. They are put
// back whole when a line that has changed speaks of tests, and are the agent's
// otherwise: they also name dependencies and sources.
func byLines(name string) bool {
	switch name {
	case "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.sbt", "build.xml",
		"CMakeLists.txt", "Makefile.am", "configure.ac", "meson.build", "mix.exs", "Package.swift", "setup.py", "rebar.config", "BUILD", "BUILD.bazel":
		return true
	}
	switch path.Ext(name) {
	case ".csproj", ".fsproj", ".vbproj", ".sln", ".slnx", ".gemspec", ".cabal":
		return true
	}
	return false
}

// undoLines compares the lines of two versions as sets.
func undoLines(v Versions) (text []byte, sections []string, whole bool) {
	if v.Before == nil || v.Gold != nil {
		return v.After, nil, false
	}
	before, after := lines(v.Before), lines(v.After)
	if slices.ContainsFunc(onlyIn(before, after), speaksOfTests) || slices.ContainsFunc(onlyIn(after, before), speaksOfTests) {
		return v.Before, nil, true
	}
	return v.After, nil, false
}

func onlyIn(a, b []string) []string {
	there := map[string]int{}
	for _, line := range b {
		there[strings.TrimSpace(line)]++
	}
	var out []string
	for _, line := range a {
		if there[strings.TrimSpace(line)]--; there[strings.TrimSpace(line)] < 0 {
			out = append(out, line)
		}
	}
	return out
}

// speaksOfTests looks at words, not at letters: latest.c and special.go are no
// tests. Names of source files are passed over: a test that is taken out of a list
// is missing from the report, which says enough.
func speaksOfTests(line string) bool {
	for _, name := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t(){}[]<>\"',;=:", r) }) {
		if len(path.Ext(name)) > 1 && sourceFile(path.Ext(name)) {
			continue
		}
		if slices.ContainsFunc(humps(name), lineWord) {
			return true
		}
	}
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"argline", "jvmargs", "systemprop", "ignorefail"}, func(word string) bool { return strings.Contains(line, word) })
}

func sourceFile(ext string) bool {
	switch ext {
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".mm", ".cs", ".fs", ".vb", ".java", ".kt", ".scala", ".groovy", ".swift", ".py",
		".hs", ".ex", ".exs", ".erl", ".rb", ".go", ".rs":
		return true
	}
	return false
}

// humps cuts a name into its words: skipTests, skip_tests and skip.tests are skip
// and tests.
func humps(name string) (words []string) {
	start := 0
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if letter && ('a' <= r || i == start || 'A' <= name[i-1] && name[i-1] <= 'Z') {
			continue
		}
		words = append(words, name[start:i])
		if start = i; !letter {
			start = i + len(string(r))
		}
	}
	return append(words, name[start:])
}

func lineWord(word string) bool {
	switch word = strings.ToLower(word); word {
	case "testing", "gtest", "surefire", "failsafe", "skip", "skipped", "junit":
		return true
	}
	return testWord(word) && word != "ci" && word != "unit" && word != "integration" && word != "cov"
}
