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

func speaksOfTests(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"test", "spec", "check", "surefire", "failsafe", "skip", "junit", "ignorefail", "argline", "jvmargs", "systemprop"},
		func(word string) bool { return strings.Contains(line, word) })
}
