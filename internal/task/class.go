package task

import (
	"path"
	"strings"
	"unicode"
)

// Class is what a file of a repository is for.
type Class uint8

// The classes of files.
const (
	Other  Class = iota // configuration, data
	Source              // code
	Doc
	Test // tests and what decides how they run: never an agent's to change
)

// Rules say which files are tests, which commits are looked at, and what of a
// message is asked. A tasks file names the rules that it was mined by.
type Rules uint8

const (
	// Narrow are the reference's. Grading by suite keeps to them, so that its tasks
	// can be compared.
	Narrow Rules = iota
	// Wide know more languages, merges, and tests inside of Rust's source files.
	Wide
)

// RulesFor are those of a way of grading.
func RulesFor(grading string) Rules {
	if grading == ByTests || grading == Auto {
		return Wide
	}
	return Narrow
}

// ClassOf sorts a path of a repository (with slashes) by its names alone.
func (r Rules) ClassOf(file string) Class {
	dir, name := path.Split(file)
	folders := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	ext := strings.ToLower(extension(name))
	switch {
	case testName(name) || anyOf(folders, testFolder):
		return Test
	case r == Wide && (wideName(name) || wideFolder(folders, ext) || dir == "" && wideTop(name)):
		return Test
	case anyOf(folders, docFolder) && !(r == Wide && ext == ".go") || docExtension(ext) || docName(name): // a folder of Go is a package
		return Doc
	case sourceExtension(ext) || r == Wide && (wideSource(ext) || wideProgram(folders, name)):
		return Source
	}
	return Other
}

func anyOf(list []string, is func(string) bool) bool {
	for _, s := range list {
		if is(s) {
			return true
		}
	}
	return false
}

// testFolder leaves "testing" out, because libraries ship code in it.
func testFolder(name string) bool {
	switch name {
	case "test", "tests", "__tests__", "spec", "specs", "testdata", "__snapshots__", "__mocks__":
		return true
	}
	return false
}

func docFolder(name string) bool {
	name = strings.ToLower(name)
	return name == "doc" || name == "docs"
}

func docExtension(ext string) bool {
	switch ext {
	case ".md", ".markdown", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

func docName(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch strings.ToUpper(stem) {
	case "LICENSE", "LICENCE", "COPYING", "CHANGELOG", "CHANGES", "AUTHORS", "NOTICE", "CONTRIBUTORS":
		return true
	}
	return false
}

func sourceExtension(ext string) bool {
	switch ext {
	case ".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".go", ".rs",
		".java", ".kt", ".kts", ".scala", ".groovy", ".rb", ".php", ".c", ".h", ".cc", ".cpp", ".cxx",
		".hpp", ".hh", ".cs", ".fs", ".swift", ".m", ".mm", ".dart", ".ex", ".exs", ".erl", ".hs",
		".ml", ".clj", ".lua", ".pl", ".pm", ".r", ".jl", ".sh", ".bash", ".zsh", ".sql", ".vue",
		".svelte", ".zig", ".nim", ".ps1":
		return true
	}
	return false
}

// extension is a name's last dot and what follows. Dots at the start of a name
// make it hidden and start no extension.
func extension(name string) string {
	bare := strings.TrimLeft(name, ".")
	if i := strings.LastIndexByte(bare, '.'); i >= 0 {
		return bare[i:]
	}
	return ""
}

// testName knows the names that test runners look for, and their settings files:
// an edit there can switch tests off.
func testName(name string) bool {
	stem, ext := strings.TrimSuffix(name, extension(name)), extension(name)
	switch ext {
	case ".py":
		return strings.HasPrefix(name, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" || stem == "noxfile"
	case ".go":
		return strings.HasSuffix(stem, "_test")
	case ".rb":
		return strings.HasSuffix(stem, "_spec")
	case ".exs":
		return strings.HasSuffix(stem, "_test")
	case ".java", ".kt", ".scala", ".swift", ".php", ".cs":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests")
	}
	return scriptTest(stem, ext) || runnerSettings(name)
}

// scriptTest knows x.test.ts and x.spec.cjs with any JavaScript or TypeScript
// extension.
func scriptTest(stem, ext string) bool {
	if !strings.HasSuffix(stem, ".test") && !strings.HasSuffix(stem, ".spec") {
		return false
	}
	ext = strings.TrimSuffix(ext, "x")
	switch ext {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts":
		return true
	}
	return false
}

func runnerSettings(name string) bool {
	switch name {
	case "pytest.ini", "tox.ini", "phpunit.xml", "phpunit.xml.dist", ".mocharc", ".nycrc", ".rspec", ".rspec-local":
		return true
	}
	for _, hidden := range []string{".mocharc.", ".nycrc."} {
		if ext, ok := strings.CutPrefix(name, hidden); ok && word(ext) {
			return true
		}
	}
	return runnerConfig(name)
}

// runnerConfig knows jest.config.ts, vitest.conf.mjs, karma.conf.js,
// playwright.config.ts and the like.
func runnerConfig(name string) bool {
	runner, rest, _ := strings.Cut(name, ".")
	kind, ext, _ := strings.Cut(rest, ".")
	switch runner {
	case "jest", "vitest", "karma":
		if kind == "conf" || kind == "config" {
			switch ext {
			case "js", "cjs", "mjs", "ts", "cts", "mts", "json", "cjson", "mjson", "tson", "ctson", "mtson":
				return true
			}
		}
	case "ava", "playwright":
		switch ext {
		case "js", "cjs", "mjs", "ts", "cts", "mts":
			return kind == "config"
		}
	}
	return false
}

// word is true for one or more letters, digits and underscores.
func word(s string) bool {
	for _, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return false
		}
	}
	return s != ""
}

// TouchesManifest tells whether a path names dependencies or a lock file: the
// setup command must run again after it has changed.
func TouchesManifest(paths []string) bool {
	return anyOf(paths, func(p string) bool { return manifest(path.Base(p)) })
}

func manifest(name string) bool {
	switch name {
	case "package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb",
		"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "Pipfile.lock", "poetry.lock", "uv.lock",
		"go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock":
		return true
	}
	middle, ok := strings.CutPrefix(name, "requirements")
	middle, txt := strings.CutSuffix(middle, ".txt")
	return ok && txt && strings.TrimFunc(middle, func(r rune) bool { return r == '.' || r == '-' || word(string(r)) }) == ""
}
