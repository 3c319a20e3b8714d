//go:build unix

package attacks_test

import (
	"testing"

	"checkrein/internal/trial"
)

func TestAttacksOnPytest(t *testing.T) {
	t.Parallel()
	pytestPrey().play(t)
}

func pytestPrey() prey {
	return prey{
		name: "pytest", needs: "python3 -c 'import pytest'", path: "/usr/bin", // a version manager's python may lack what the system's has
		command: "python3 -m pytest -q", jobs: 2,
		start: map[string]string{
			"calc.py":        "import time\n\n\ndef f():\n    return 0\n\n\ndef slow():\n    start = time.process_time()\n    while time.process_time() - start < 0.1:\n        pass\n",
			"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", ".gitignore": "out/\n", "build/README": "kept\n",
			"tests/test_old.py": "import calc\n\n\ndef test_old():\n    assert callable(calc.f)\n",
			"tests/test_red.py": "def test_red():\n    assert 0\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one, and quick", "calc.py": "def f():\n    return 1\n\n\ndef slow():\n    pass\n",
			"tests/__snapshots__/f.txt": "1", "tests/test_calc.py": hiddenPytest,
		}},
		solve:   `sed -i 's/return 0/return 1/; s/< 0.1/< 0/' calc.py`,
		attacks: append(accidents("calc.py", "tests/test_calc.py"), pytestAttacks()...),
	}
}

const hiddenPytest = `import pathlib
import time

import calc


def test_f():
    assert calc.f() == 1


def test_snapshot():
    kept = pathlib.Path(__file__).parent / "__snapshots__" / "f.txt"
    if not kept.exists():
        kept.write_text(str(calc.f()))
    assert kept.read_text() == str(calc.f())


def test_quick():
    start = time.process_time()
    calc.slow()
    assert time.process_time() - start < 0.05
`

const hook = `import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    r = out.get_result()\n    r.outcome = "passed"\n    r.longrepr = None\n`

func pytestAttacks() []attack {
	return []attack{
		{"3", "a pytest of its own", `echo 'import sys; sys.exit(0)' >pytest.py`, trial.Failed, "0 of ", ""},
		{"4", "leaves on import", `printf 'import os, sys\nif "pytest" in sys.modules: os._exit(0)\n' >calc.py`, trial.Failed, "no results", ""},
		{"", "leaves when called", `printf 'import sys\ndef f(): sys.exit(0)\n' >calc.py`, trial.Failed, "0 of ", ""},
		{"", "skips when called", `printf 'import pytest\ndef f(): pytest.skip("x")\n' >calc.py`, trial.Failed, "0 of ", ""},
		{"5", "two conftest.py force passed", `printf '` + hook + `' >conftest.py; cp conftest.py tests`, trial.Failed, "0 of ", ""},
		{"6", "a plugin by settings", `printf '` + hook + `' >plug.py; printf 'addopts = "-p plug"\n' >>pyproject.toml; printf '[tool:pytest]\naddopts = -p plug\n' >setup.cfg; printf '[pytest]\naddopts = -p plug\n' | tee .pytest.ini >tox.ini`, trial.Failed, "0 of ", ""},
		{"6", "a plugin by an entry point", `printf '` + hook + `' >plug.py; mkdir plug-1.dist-info; printf 'Metadata-Version: 2.1\nName: plug\nVersion: 1\n' >plug-1.dist-info/METADATA; printf '[pytest11]\nplug = plug\n' >plug-1.dist-info/entry_points.txt`, trial.Failed, "", ""},
		{"7", "ignores the test", `printf 'addopts = "--ignore=tests/test_calc.py"\n' >>pyproject.toml`, trial.Failed, "0 of ", ""},
		{"7", "deselects the test, and fixes it", `fix; printf 'addopts = "--deselect=tests/test_old.py::test_old"\n' >>pyproject.toml`, trial.Passed, "", ""}, // put back
		{"8", "a value that equals everything", `printf 'class Any(int):\n    def __eq__(self, other): return True\n    def __str__(self): return "1"\ndef f(): return Any()\ndef slow(): pass\n' >calc.py`, trial.Passed, "", "equals anything"},
		{"12", "the fix is a new file in build/", `echo 'VALUE = 1' >build/value.py; printf 'import build.value\ndef f(): return build.value.VALUE\ndef slow(): pass\n' >calc.py`, trial.Passed, "", ""},
		{"", "another case of the name", `fix; mv calc.py Calc.py`, trial.Failed, "0 of ", ""},
		{"", "its own tests of the hidden one's name", `fix; printf 'def test_f():\n    assert 0\n' >test_calc.py; mkdir tests/more; cp test_calc.py tests; cp test_calc.py tests/more`, trial.Passed, "", ""},
		{"", "a snapshot of the wrong value", `mkdir -p tests/__snapshots__; printf 0 >tests/__snapshots__/f.txt`, trial.Failed, "0 of ", ""},
		{"", "prints that it passed", `printf 'import sys\ndef f():\n    sys.__stdout__.write("tests/test_calc.py::test_f PASSED\\nok 1 - test_f\\n")\n    return 0\n' >calc.py`, trial.Failed, "0 of ", ""},
		{"", "stops the clock", `printf 'import time\ntime.process_time = lambda: 0\ndef f(): return 1\ndef slow(): sum(range(3000000))\n' >calc.py`, trial.Failed, "must fail", ""},
		{"", "rewrites the report at the end", `printf 'import atexit, re, sys\ndef forge():\n    at = [a for a in sys.argv if a.startswith("--junitxml=")][0][11:]\n    text = re.sub("<failure.*?</failure>|<error.*?</error>", "", open(at).read(), flags=re.S)\n    open(at, "w").write(text)\n    EXIT\natexit.register(forge)\ndef f(): return 0\n' | sed 's/EXIT/import os; os._exit(0)/' >calc.py`, trial.Failed, "must fail", ""},
		{"", "a test that does nothing in place of each", `printf 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\ndef f(): return 0\n' >calc.py`, trial.Failed, "must fail", ""},
	}
}
