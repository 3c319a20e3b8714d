package grade_test

import (
	"strings"
	"testing"

	"checkrein/internal/grade"
)

// With a bound of pytest-cov's every candidate was rejected: the hidden files alone
// cover less than the bound wants, and no test explained the exit code.
func TestBoundsOfCoverageFailARunOfSomeFiles(t *testing.T) {
	const ini = "[tool:pytest]\naddopts = -q\n\n  --cov=m --cov-fail-under=90\nxfail_strict = true\n"
	for _, tt := range []struct {
		cmd, file, text string
		want            bool
	}{
		{"pytest", "setup.cfg", ini, true},
		{"cd a && pytest tests", "setup.cfg", ini, true},
		{"pytest", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = [\n  \"-q\",\n  \"--cov=m\",\n]\n", true},
		{"pytest --cov --cov-fail-under 80 tests", "", "", true},
		// Where the plugin may be missing, pytest would refuse the flag.
		{"pytest", "", "", false},
		{"pytest", "tox.ini", "[testenv]\ncommands = pytest --cov\n[pytest]\naddopts = -q\npythonpath = --cov\n", false},
		{"pytest -c other.ini", "setup.cfg", ini, false},
		{"cd ../x && pytest", "?/setup.cfg", ini, false},
		{"python -m unittest", "setup.cfg", ini, false},
	} {
		p := grade.Ask(tt.cmd, grade.Repo{Text: func(path string) string {
			if path == tt.file {
				return tt.text
			}
			return ""
		}})
		if got := strings.Contains(p.Line, " --cov-fail-under=0"); got != tt.want || strings.Contains(p.Line, "80") {
			t.Errorf("%s, %s: %s", tt.cmd, tt.file, p.Line)
		}
	}
}

// "python3 test_x.py" named no test that passes, and no candidate was kept.
func TestAScriptOfUnittestIsAskedToNameItsTests(t *testing.T) {
	for text, want := range map[string]string{
		"import unittest\n\nif __name__ == \"__main__\":\n    unittest.main()\n":          "cd a && python3 test_x.py -v",
		"import unittest\n\nif __name__ == \"__main__\":\n    unittest.main(argv=[''])\n": "cd a && python3 test_x.py -q",
		"": "cd a && python3 test_x.py -q",
	} {
		p := grade.Ask("cd a && python3 test_x.py -q", grade.Repo{Text: func(path string) string {
			if path == "a/test_x.py" {
				return text
			}
			return ""
		}})
		if p.Line != want {
			t.Errorf("%q: %s", text, p.Line)
		}
	}
}
