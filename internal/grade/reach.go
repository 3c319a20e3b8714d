package grade

import (
	_ "embed"
	"strings"
)

// PreloadText is a script for Node that gives jest, vitest and mocha their flags
// wherever they are started. It lies beside the report, under the name PreloadName.
//
//go:embed preload.cjs
var PreloadText []byte

// PreloadName does not begin as reports do.
const PreloadName = "preload.cjs"

// variable is one that a runner reads wherever it is started, below make, rake,
// tox or a script. No other program takes notice of it.
type variable struct {
	where []string // files and folders, one of which says that the runner may be there; none means anywhere
	set   string
}

// Each runner's report is a file of its own, or a folder of them, whose name after
// the place is the runner's. A second process of the same runner would overwrite
// the first one's; where that can be helped, the name has something of its own.
func variables() []variable {
	script, compiled := []string{"package.json"}, []string{"CMakeLists.txt", "meson.build", "configure.ac", "Makefile", "BUILD", "BUILD.bazel"}
	ruby := []string{"Rakefile", "Gemfile", ".rspec"}
	tox := []string{"tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"}
	return []variable{
		// pytest looks for variables in the path: one report for each environment of tox and nox.
		{nil, "PYTEST_ADDOPTS=--junitxml=" + Place + ".pytest.$TOX_ENV_NAME$NOX_CURRENT_SESSION -o junit_family=xunit1 -p no:cacheprovider --maxfail=0"},
		{tox, "TOX_OVERRIDE=testenv.pass_env+=PYTEST_ADDOPTS"}, // tox 4
		{tox, "TOX_TESTENV_PASSENV=PYTEST_ADDOPTS"},            // tox 3
		{compiled, "GTEST_OUTPUT=xml:" + Bare + ".gtest/"},
		{ruby, "SPEC_OPTS=--no-fail-fast --format progress --format json --out " + Place + ".rspec"},
		{ruby, "TESTOPTS=--verbose"}, // of rake, for minitest, which prints its tests then
		{script, "NODE_OPTIONS=--require " + Preload + " " + nodeReporter},
		{[]string{"turbo.json"}, "TURBO_FORCE=true"}, // what comes out of a cache has no report
		{[]string{"nx.json", "lerna.json"}, "NX_SKIP_NX_CACHE=true"},
		{[]string{"go.mod"}, "GOFLAGS=-v -count=1"}, // -json would be taken by go list and others, too
		{[]string{"go.mod"}, "GOTESTSUM_JSONFILE=" + Bare + ".gotestsum"},
		{[]string{"Cargo.toml"}, "NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1"},
		{[]string{"Cargo.toml"}, "NEXTEST_MESSAGE_FORMAT=libtest-json"},
		{[]string{"pom.xml"}, "MAVEN_ARGS=-fae"},
	}
}

// nodeReporter is a reporter of node:test in the text of its own address, since
// nothing may be added to a copy: Node's JUnit (or TAP, before Node 20), to a file
// for each process. With it Node wants to be told of the usual one, too.
const nodeReporter = "--test-reporter=data:text/javascript,import*as%20r%20from%22node:test/reporters%22;import{openSync,writeSync}from%22node:fs%22;" +
	"export%20default%20async%20function*(events){const%20file=openSync(decodeURIComponent(%22" + Escaped + "%22)+%22.node.%22+process.pid,%22w%22);" +
	"for%20await(const%20text%20of(r.junit||r.tap)(events))writeSync(file,text)} --test-reporter-destination=stderr " +
	"--test-reporter=spec --test-reporter-destination=stdout"

// reach are the variables for a repository, and where reports may lie that its
// runners write anyway.
func reach(testCmd string, repo Repo) (env []string, globs string) {
	for _, v := range variables() {
		name, _, _ := strings.Cut(v.set, "=")
		switch {
		case name == "GTEST_OUTPUT" && strings.Contains(testCmd, " -j"): // side by side, two would choose the same file
		case strings.Contains(testCmd, name), len(v.where) > 0 && !has(repo, v.where...): // the command sets it, or nothing reads it
		case name == "NODE_OPTIONS" && strings.Contains(testCmd+scripts(testCmd, repo), "--test-reporter"): // Node counts reporters and their files
			env = append(env, strings.TrimSuffix(v.set, " "+nodeReporter))
		default:
			env = append(env, v.set)
		}
	}
	for _, kind := range []struct{ globs, file string }{
		{mavenFiles, "pom.xml"},
		{gradleFiles, "build.gradle"},
		{gradleFiles, "build.gradle.kts"},
		{sbtFiles, "build.sbt"},
		{mesonLogs, "meson.build"},
	} {
		if globs == "" && has(repo, kind.file) {
			globs = kind.globs
		}
	}
	return env, globs
}

// scripts are the texts of the scripts that a command may name.
func scripts(testCmd string, repo Repo) (texts string) {
	for word := range strings.FieldsSeq(testCmd) {
		if repo.Script != nil {
			texts += " " + repo.Script("", word)
		}
	}
	return texts
}

func has(repo Repo, names ...string) bool {
	for _, name := range names {
		if repo.Has != nil && repo.Has(name) {
			return true
		}
	}
	return false
}
