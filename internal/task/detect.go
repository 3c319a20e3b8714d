package task

import (
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DetectTestCmdIn is DetectTestCmd for one folder of a repository, with a slash
// between its parts, from whose top folder the command then leads into it. A folder
// that says nothing is tested like the whole repository.
func DetectTestCmdIn(files fs.FS, dir string) (cmd, source string) {
	if dir == "" {
		return DetectTestCmd(files)
	}
	if in, err := fs.Sub(files, dir); err == nil {
		if cmd, source = detect(in, files); cmd != "" {
			return "cd " + shellWord(dir) + " && " + cmd, dir + "/" + source
		}
	}
	return DetectTestCmd(files)
}

// shellWord is text as one word of a shell line.
func shellWord(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@") == "" && !strings.HasPrefix(text, "-") {
		return text
	}
	if strings.HasPrefix(text, "-") {
		text = "./" + text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// DetectTestCmd finds the command that runs a repository's tests, and the file
// that says so, from its files. Both are "" when nothing says so.
func DetectTestCmd(files fs.FS) (cmd, source string) { return detect(files, files) }

// detect looks at the files of a folder; lock files may be in the top folder, which
// packages of one repository share.
func detect(files, top fs.FS) (cmd, source string) {
	if script := testScript(files); script != "" {
		return packageRunner(files, top), "package.json scripts.test"
	}
	if source = pytestSetup(files); source != "" {
		if exists(files, "uv.lock") || exists(top, "uv.lock") {
			return "uv run pytest -q", source
		}
		return "python3 -m pytest -q", source
	}
	switch {
	case isFile(files, "go.mod"):
		return "go test ./...", "go.mod"
	case isFile(files, "Cargo.toml"):
		return "cargo test", "Cargo.toml"
	case makeTarget(read(files, "Makefile")):
		return "make test", "Makefile test target"
	}
	return detectTools(files, top)
}

// testScript is the test script of package.json. npm writes a placeholder that
// fails; it says nothing.
func testScript(files fs.FS) string {
	script := packageScript(files, "package.json", "test")
	if strings.Contains(script, "no test specified") {
		return ""
	}
	return strip(script)
}

// packageScript is one script of a package.json; "" for none.
func packageScript(files fs.FS, file, name string) string {
	var pkg struct {
		Scripts map[string]jsontext.Value `json:"scripts"`
	}
	lenient := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if json.Unmarshal([]byte(read(files, file)), &pkg, lenient) != nil {
		return ""
	}
	var script string
	if json.Unmarshal(pkg.Scripts[name], &script, lenient) != nil {
		return ""
	}
	return script
}

// packageRunner is the package manager whose lock file is there, in the folder or
// the top folder.
func packageRunner(places ...fs.FS) string {
	for _, files := range places {
		switch {
		case exists(files, "pnpm-lock.yaml"):
			return "pnpm test"
		case exists(files, "yarn.lock"):
			return "yarn test"
		case exists(files, "bun.lock"), exists(files, "bun.lockb"):
			return "bun run test"
		}
	}
	return "npm test"
}

// pytestSetup is the first file that sets pytest up.
func pytestSetup(files fs.FS) string {
	for _, sign := range [][2]string{
		{"pytest.ini", ""},
		{"pyproject.toml", "[tool.pytest"},
		{"setup.cfg", "[tool:pytest]"},
		{"tox.ini", "[pytest]"},
		{"conftest.py", ""},
		{"tests/conftest.py", ""},
		{"test/conftest.py", ""},
	} {
		if isFile(files, sign[0]) && strings.Contains(read(files, sign[0]), sign[1]) {
			return sign[0]
		}
	}
	entries, _ := fs.ReadDir(files, "tests")
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "test_") && strings.HasSuffix(e.Name(), ".py") {
			return "test files in tests/"
		}
	}
	return ""
}

// makeTarget tells whether a Makefile has a target named test.
func makeTarget(text string) bool {
	for at := 0; at >= 0 && at < len(text); {
		if rest, ok := strings.CutPrefix(text[at:], "test"); ok && strings.HasPrefix(strings.TrimLeftFunc(rest, space), ":") {
			return true
		}
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return false
		}
		at += next + 1
	}
	return false
}

func read(files fs.FS, name string) string {
	data, _ := fs.ReadFile(files, name)
	return string(data)
}

func exists(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}
