package repo

import (
	"os"
	"strings"
)

// What tools leave behind while an agent works and tests run. A difference
// leaves these out, unless the baseline has files there: what it has is always
// compared, and new files beside them count.

// toolCaches is the list as patterns of a git exclude file, for the copy's own
// .git, where it keeps `git status` readable for the agent.
func toolCaches() []string {
	return strings.Fields(`__pycache__/ *.pyc .pytest_cache/ .mypy_cache/ .ruff_cache/ .tox/ .nox/ .venv/ venv/ node_modules/
		.coverage coverage/ .next/ .turbo/ target/ dist/ build/ *.egg-info/ .eggs/`)
}

// cacheFile tells whether a file's name is a tool's.
func cacheFile(name string) bool {
	return name == ".coverage" || strings.HasSuffix(name, ".pyc")
}

// cacheFolder tells whether a folder is a tool's. Most names say so. People use
// some of them for sources too (build, dist, target, coverage, venv): those count
// as a cache only when they hold what the tool writes into them.
func cacheFolder(root *os.Root, path, name string) bool {
	switch name {
	case "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".venv", "node_modules", ".next", ".turbo", ".eggs":
		return true
	case "venv":
		return holds(root, path, "pyvenv.cfg")
	case "coverage":
		return holds(root, path, "lcov.info", "coverage-final.json", "coverage-summary.json", "clover.xml", "lcov-report")
	case "target": // cargo tags its folder; Maven has these two
		return holds(root, path, "CACHEDIR.TAG", "maven-status", "maven-archiver")
	case "build", "dist":
		return holds(root, path, "CACHEDIR.TAG", "CMakeCache.txt")
	}
	return strings.HasSuffix(name, ".egg-info")
}

func holds(root *os.Root, dir string, names ...string) bool {
	for _, name := range names {
		if _, err := root.Lstat(dir + "/" + name); err == nil {
			return true
		}
	}
	return false
}
