package task

import (
	"strings"
	"unicode"
)

// pattern is what names of tests look like, as words between spaces, so that the
// table below costs nothing at start.
type pattern struct {
	starts string // of the name
	ends   string // of the name without its extension
	whole  string // the name without its extension
	camel  string // ends of a name in CamelCase
}

// wideNames are the patterns for an extension: what test runners look for by
// default, or what their manuals tell people to call files. Left out is what
// source is called, too: test-utils.js, Rust's test.rs (cargo has a command of that
// name), Java's TestRunner.java.
func wideNames(ext string) pattern {
	switch ext {
	case ".py": // Django's startapp makes tests.py
		return pattern{whole: "tests"}
	case ".rb": // the Rake tasks of minitest and test-unit
		return pattern{starts: "test_", ends: "_test"}
	case ".java", ".kt", ".swift": // Surefire, Failsafe, Kotest, Quick
		return pattern{camel: "TestCase Spec Specs IT"}
	case ".groovy": // Spock
		return pattern{camel: "Test Tests Spec Specs IT"}
	case ".scala": // ScalaTest, munit
		return pattern{camel: "Spec Specs Suite IT"}
	case ".cs", ".fs", ".vb": // the guides of NUnit, xUnit and MSTest
		return pattern{camel: "Test Tests Spec Specs"}
	case ".php": // Codeception, phpspec
		return pattern{camel: "Cest Spec"}
	case ".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx": // node --test, Deno, Nest, Cypress, tsd
		return pattern{ends: "-test _test -spec _spec .cy .test-d"}
	case ".rs": // files of `#[cfg(test)] mod tests;`
		return pattern{ends: "_test _tests", whole: "tests"}
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".mm", ".cu": // GoogleTest, Chromium, Unity, XCTest
		return pattern{starts: "test_", ends: "_test _tests _unittest _unittests", camel: "Test Tests"}
	case ".dart", ".clj", ".cljs", ".cljc":
		return pattern{ends: "_test"}
	case ".lua": // busted, luaunit
		return pattern{ends: "_spec _test"}
	case ".cr":
		return pattern{ends: "_spec"}
	case ".erl": // Common Test, EUnit
		return pattern{ends: "_SUITE _tests"}
	case ".hs": // hspec-discover
		return pattern{camel: "Spec"}
	case ".ml", ".nim": // the examples of Alcotest and testament
		return pattern{starts: "test_", ends: "_test"}
	case ".r": // testthat
		return pattern{starts: "test- test_"}
	case ".jl": // Pkg.test
		return pattern{whole: "runtests"}
	case ".ps1": // Pester
		return pattern{ends: ".Tests"}
	case ".sol": // Foundry
		return pattern{ends: ".t"}
	case ".el": // Buttercup, ERT
		return pattern{starts: "test-", ends: "-test -tests"}
	case ".sh", ".bash", ".zsh": // shunit2, ShellSpec
		return pattern{starts: "test_", ends: "_test _spec"}
	}
	return pattern{}
}

func wideName(name string) bool {
	ext := extension(name)
	stem := strings.TrimSuffix(name, ext)
	switch ext = strings.ToLower(ext); ext {
	case ".bats", ".t", ".phpt", ".feature", ".robot": // nothing but tests, as Perl's prove has it
		return true
	case ".snap", ".ambr": // snapshots of jest, insta and syrupy
		return true
	}
	p := wideNames(ext)
	return oneOf(p.whole, stem, func(a, b string) bool { return a == b }) || oneOf(p.starts, stem, strings.HasPrefix) ||
		oneOf(p.ends, stem, strings.HasSuffix) || oneOf(p.camel, stem, camelEnd)
}

// wideTop knows test.js and test.sh where they lie beside the package or the program
// itself. In other folders they may be a command of that name.
func wideTop(name string) bool {
	const exts = " .js .cjs .mjs .ts .cts .mts .py .rb .sh .bash .c .cc .cpp .lua .php .pl .el "
	ext := extension(name)
	stem := strings.TrimSuffix(name, ext)
	return (stem == "test" || stem == "tests") && ext != "" && strings.Contains(exts, " "+ext+" ")
}

// oneOf tells whether one of the words fits.
func oneOf(words, stem string, fits func(stem, word string) bool) bool {
	for word := range strings.FieldsSeq(words) {
		if fits(stem, word) {
			return true
		}
	}
	return false
}

// camelEnd tells whether a word in CamelCase ends a name. A short one needs a small
// letter before it: UserIT, but not AUDIT.
func camelEnd(stem, word string) bool {
	before, ok := strings.CutSuffix(stem, word)
	return ok && (len(word) > 2 || strings.TrimRightFunc(before, smallOrDigit) != before)
}

func smallOrDigit(r rune) bool { return unicode.IsLower(r) || unicode.IsDigit(r) }

// wideFolder knows folders of tests by any of their names on the way to a file.
func wideFolder(folders []string, ext string) bool {
	for i, name := range folders {
		top := i == 0
		below := i > 0 && folders[i-1] == "src"
		if (top && (name == "t" || name == "xt")) || wideFolderName(name, below, ext) {
			return true // t and xt are Perl's, and git's own
		}
	}
	return false
}

// wideFolderName knows Swift's FooTests, C#'s Foo.Tests, Rust's and others'
// foo-tests, and below src the source sets of Gradle (integrationTest) and Kotlin
// (jvmTest). Symfony and Perl ship code in a folder Test (lib/Test/More.pm).
func wideFolderName(name string, belowSrc bool, ext string) bool {
	switch name {
	case "Test":
		return ext != ".php" && ext != ".pm"
	case "Spec", "Specs", "TestData", "test-data", "test_data", "testFixtures", "e2e":
		return true
	}
	return camelEnd(name, "Tests") || strings.HasSuffix(name, ".Test") ||
		strings.HasSuffix(name, "-tests") || strings.HasSuffix(name, "_tests") || belowSrc && camelEnd(name, "Test")
}

// wideSource are languages that the reference does not know.
func wideSource(ext string) bool {
	const exts = " .adb .ads .astro .awk .cljc .cljs .coffee .cr .cu .d .el .elm .f90 .fish .fnl .gleam .hrl .hx .lisp .mli .pas .res .rkt .scm .sol .tcl .vb .vim "
	return ext != "" && strings.Contains(exts, " "+ext+" ")
}

// wideProgram knows programs by their folder: shell projects have most of their code
// in files without an extension.
func wideProgram(folders []string, name string) bool {
	return !strings.Contains(name, ".") && anyOf(folders, func(folder string) bool {
		return folder == "bin" || folder == "sbin" || folder == "libexec" || folder == "exe"
	})
}
