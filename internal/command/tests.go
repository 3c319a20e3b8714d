package command

import (
	"slices"
	"strings"
)

// Tests reports whether the command runs tests, a build, a linter or a type
// check: what fails again and again, with another result, while work goes on.
func Tests(text string) bool {
	if !hasAny(text, testingWords()) {
		return false
	}
	found, ok := runs(text, tests)
	return ok && found
}

func testingWords() []string {
	return []string{
		"test", "spec", "check", "build", "lint", "vet", "jest", "tox", "nox", "make", "mypy", "tsc", "ruff", "cargo",
		"mocha", "ava", "eslint", "clippy", "gradle", "mvn", "ctest", "rake", "phpunit", "verify", "swift", "pyright", "compile",
		"just", "bazel", "ninja", "clang", "gcc",
	}
}

func tests(c *call) bool {
	args := c.args()
	switch name := c.program(); name {
	case "pytest", "py.test", "jest", "vitest", "mocha", "ava", "tox", "nox", "mypy", "pyright", "tsc", "ruff", "eslint", "flake8",
		"pylint", "rspec", "phpunit", "pest", "ctest", "make", "gmake", "ninja", "staticcheck", "golangci-lint", "gotestsum",
		"shellcheck", "bats", "clippy-driver", "gcc", "clang", "g++", "clang++", "rustc", "javac", "busted", "prove", "just",
		"rake", "biome", "oxlint", "stylelint", "rubocop", "ktlint", "swiftlint", "unittest":
		return !slices.ContainsFunc(args, onlyShows) && !slices.Contains(args, "--version")
	case "go", "cargo", "swift", "dotnet", "zig", "deno", "bun", "mix", "bazel", "buck2", "sbt", "lein", "flutter", "dart", "stack",
		"cabal", "meson", "cmake", "dune", "forge", "gleam", "mvn", "mvnw", "gradle", "gradlew", "ant":
		return slices.ContainsFunc(args, isTestVerb) || name == "cmake" && slices.Contains(args, "--build")
	case "npm", "pnpm", "yarn":
		verb, rest := subcommand(args, " -C --dir --prefix --filter --workspace -w --cwd ")
		return isTestVerb(verb) || verb == "t" || (verb == "run" || verb == "exec") && slices.ContainsFunc(rest, isTestVerb)
	case "npx", "bunx", "uvx", "pipx", "uv", "poetry", "pipenv", "hatch", "rye", "pdm", "bundle":
		return slices.ContainsFunc(args, isTestProgram)
	default:
		return isPython(name) && slices.ContainsFunc(args, isTestProgram) || isTestScript(name)
	}
}

// isTestVerb: test, test:unit, build, lint, check, vet, verify and their like.
func isTestVerb(arg string) bool {
	head, _, _ := strings.Cut(arg, ":")
	head, _, _ = strings.Cut(head, "-")
	switch head {
	case "test", "tests", "build", "lint", "check", "vet", "verify", "clippy", "typecheck", "compile", "tsc", "analyze", "nextest",
		"spec", "e2e", "unit", "integration":
		return true
	}
	return false
}

func isTestProgram(arg string) bool {
	return tests(&call{words: []word{{text: program(arg)}}}) || arg == "test" || isTestScript(arg)
}

func isPython(name string) bool {
	return strings.HasPrefix(name, "python") || name == "node" || name == "ruby" || name == "perl"
}

// isTestScript: run_tests.sh, test.py, check.
func isTestScript(arg string) bool {
	base, _, _ := strings.Cut(program(arg), ".")
	for part := range strings.FieldsFuncSeq(base, func(r rune) bool { return r == '-' || r == '_' }) {
		if part == "test" || part == "tests" || part == "lint" || part == "check" {
			return len(base) > len("test") || strings.Contains(program(arg), ".")
		}
	}
	return false
}
