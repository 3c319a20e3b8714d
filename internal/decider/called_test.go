package decider

import "testing"

func TestCalled(t *testing.T) {
	for _, tt := range []struct {
		line, file string
		want       bool
	}{
		{"sh scripts/ci.sh", "scripts/ci.sh", true},
		{"./run-tests.sh --fast", "run-tests.sh", true},
		{"A=b bash -eu 'scripts/all'", "scripts/all", true},
		{"cd sub && ./check", "sub/check", true},
		{"npm run build && sh -c './t.sh'", "t.sh", true},
		{"node run-tests.js", "run-tests.js", true},
		{"python3 tools/runtests.py", "tools/runtests.py", false}, // one word
		{"python3 tools/run_tests.py", "tools/run_tests.py", true},
		{"node src/index.js", "src/index.js", false},
		{"./check", "sub/check", false},
		{"diff a b", "a", false},
		{"sh run.sh src/calc.sh", "src/calc.sh", false},
		{"jest -c config/unit.js", "config/unit.js", true},
		{"jest --ci --config=./config/unit.json", "config/unit.json", true},
		{"npx mocha --config 'm.cjs'", "m.cjs", true},
		{"pytest -c other.cfg", "other.cfg", true},
		{"node --env-file=vars.txt --test", "vars.txt", true},
		{"jest --roots src/a.js", "src/a.js", false},
		{"webpack --config build.js && jest", "build.js", false},
		{"gcc -c src/a.c && ./run", "src/a.c", false},
		{"", "a", false},
	} {
		if got := Called(tt.line, tt.file); got != tt.want {
			t.Errorf("%q calls %s: %v", tt.line, tt.file, got)
		}
	}
}

func TestScriptsThatTest(t *testing.T) {
	for manifest, want := range map[string]string{
		`{"scripts": {"build": "sh build.sh", "test:unit": "sh t.sh"}}`: "sh t.sh",
		`{"scripts": {"pretest": "a"}}`:                                 "a",
		`{"scripts": 1}`:                                                "", `{`: "", "": "",
	} {
		if got := TestScripts([]byte(manifest)); got != want {
			t.Errorf("%s: %q", manifest, got)
		}
	}
}
