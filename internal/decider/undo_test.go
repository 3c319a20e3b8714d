package decider_test

import (
	"slices"
	"strings"
	"testing"

	"checkrein/internal/decider"
)

// Each case is one file: what was there, what an agent left, and what is scored.
// A want of "" means that the file is as before, or not there where it was not.
func TestUndo(t *testing.T) {
	for _, tt := range []struct {
		name, file, before, after, want string
		sections                        []string
		whole                           bool
	}{
		{
			"npm: the script and jest's settings are undone, a dependency stays", "package.json",
			"{\n  \"name\": \"a\",\n  \"scripts\": {\"test\": \"jest\"},\n  \"dependencies\": {}\n}\n",
			"{\n  \"name\": \"a\",\n  \"scripts\": {\"test\": \"exit 0\"},\n  \"jest\": {\"testMatch\": []},\n  \"dependencies\": {\"b\": \"1\"}\n}\n",
			"{\n  \"name\": \"a\",\n  \"scripts\": {\"test\": \"jest\"},\n  \"dependencies\": {\"b\": \"1\"}\n}\n",
			[]string{"scripts", "jest"},
			false,
		},
		{
			"npm: a script that is gone comes back, whatever stands around it", "packages/x/package.json",
			`{"name":"a","scripts":{"test":"jest"}}`, `{ "name" : "b" }`, `{ "name" : "b","scripts":{"test":"jest"} }`,
			[]string{"scripts"},
			false,
		},
		{
			"npm: of two members with one name the last counts", "package.json",
			`{"scripts":{"test":"jest"},"a":1}`, `{"scripts":{"test":"jest"},"a":2,"\u0073cripts":{"test":"true"}}`,
			`{"scripts":{"test":"jest"},"a":2}`,
			[]string{"scripts"},
			false,
		},
		{"npm: a new file's scripts go", "sub/package.json", "", `{"type":"module","scripts":{"test":"true"}}`, `{"type":"module"}`, []string{"scripts"}, false},
		{
			"npm: a known dependency from elsewhere, a new one, and a newer one", "package.json",
			`{"dependencies": {"a": "1"}, "devDependencies": {"chai": "^4", "x": "1"} }`,
			`{"dependencies": {"a": "2", "chai": "file:fake", "n": "git+https://example.test/n"}, "devDependencies": {"x": "npm:y@1"} }`,
			`{"dependencies": {"a": "2","chai": "^4", "n": "git+https://example.test/n"}, "devDependencies": { "x": "1"} }`,
			[]string{"dependency chai", "dependency x"},
			false,
		},
		{
			"npm: from an empty object, and to one", "package.json",
			`{"dependencies":{},"devDependencies":{"chai":"^4"}}`, `{"dependencies":{"chai":"/x"},"devDependencies":{}}`,
			`{"dependencies":{"chai":"^4"},"devDependencies":{}}`,
			[]string{"dependency chai"},
			false,
		},
		{"npm: what is no JSON is undone whole", "package.json", `{"a":1}`, `{"a":1,}`, "", nil, true},
		{"npm: an honest edit", "package.json", `{"scripts":{"test":"jest"}}`, "{\n\"scripts\":{\"test\":\"jest\"},\"dependencies\":{\"x\":\"^1\"}}", "{\n\"scripts\":{\"test\":\"jest\"},\"dependencies\":{\"x\":\"^1\"}}", nil, false},
		{
			"pytest: addopts in a new table", "pyproject.toml",
			"[project]\nname = \"a\"\n", "[project]\nname = \"a\"\ndependencies = [\"x\"]\n\n[tool.pytest.ini_options]\naddopts = \"-p plug\"\n",
			"[project]\nname = \"a\"\ndependencies = [\"x\"]\n\n",
			[]string{"[tool.pytest.ini_options]"},
			false,
		},
		{
			"pytest: addopts changed, comments and order stay", "pyproject.toml",
			"# top\n[tool.pytest.ini_options]\n# why\naddopts = \"\"\"\n-q\n[tool.x]\n\"\"\"\n\n[tool.ruff]\nline-length = 80\n",
			"# top\n[tool.pytest.ini_options]\naddopts = \"--ignore=tests/test_calc.py\"\n\n[tool.ruff] # here\nline-length = 100\n",
			"# top\n[tool.pytest.ini_options]\n# why\naddopts = \"\"\"\n-q\n[tool.x]\n\"\"\"\n\n[tool.ruff] # here\nline-length = 100\n",
			[]string{"[tool.pytest.ini_options]"},
			false,
		},
		{
			"pytest: dotted, quoted and inline spellings", "pyproject.toml",
			"[tool.black]\nx = 1\n",
			"[tool]\n\"pytest\".ini_options = {addopts = \"-x\"}\nblack.x = 2\nhatch = {envs = {}}\n",
			"[tool]\nblack.x = 2\n",
			[]string{"[tool.pytest.ini_options]", "[tool.hatch]"},
			false,
		},
		{
			"pytest: a table that is gone comes back where it was", "pyproject.toml",
			"[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n[tool.ruff]\n", "[project]\nname = \"b\"\n[tool.ruff]\n",
			"[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n[tool.ruff]\n",
			[]string{"[tool.pytest.ini_options]"},
			false,
		},
		{
			"pytest: a plugin by entry point", "pyproject.toml", "[project]\nname = 'a'",
			"[project]\nname = 'a'\n[project.entry-points]\npytest11 = {p = 'p'}\nother = {q = 'q'}\n",
			"[project]\nname = 'a'\n[project.entry-points]\nother = {q = 'q'}\n",
			[]string{"[project.entry-points.pytest11]"},
			false,
		},
		{"pytest: a text that can't be read is undone whole", "pyproject.toml", "[a]\n", "[a]\nx = \"\"\"\n", "", nil, true},
		{
			"setup.cfg", "setup.cfg", "[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n",
			"[metadata]\nname = b\n\n[tool:pytest]\naddopts = --ignore=tests\n    -x\n[aliases]\ntest = clean\n",
			"[metadata]\nname = b\n\n[tool:pytest]\naddopts = -q\n",
			[]string{"tool:pytest", "aliases"},
			false,
		},
		{"setup.cfg: a header that readers take in two ways", "setup.cfg", "[tool:pytest]\na = 1\n", "[tool:pytest]\na = 1\n [z]\npython_files = none\n", "", nil, true},
		{
			"setup.cfg: a plugin", "setup.cfg", "[options.entry_points]\nconsole_scripts =\n    a = b\n",
			"[options.entry_points]\nconsole_scripts =\n    a = c\npytest11 =\n    p = p\n", "[options.entry_points]\nconsole_scripts =\n    a = c\n",
			[]string{"options.entry_points: pytest11"},
			false,
		},
		{
			"go: another assertion library, while a requirement stays", "go.mod",
			"module a\n\ngo 1.26\n\nrequire x.example/y v1.0.0\n",
			"module a\n\ngo 1.26\n\nrequire (\n\tx.example/y v1.0.0\n\tx.example/z v1.0.0 // indirect\n)\n\nreplace x.example/y => ./fake\n\nreplace (\n\tx.example/z => ./z // )\n)\n",
			"module a\n\ngo 1.26\n\nrequire (\n\tx.example/y v1.0.0\n\tx.example/z v1.0.0 // indirect\n)\n\n\n",
			[]string{"replace"},
			false,
		},
		{
			"go: another toolchain", "sub/go.mod", "module a\ntoolchain go1.26.0\n", "module a\ntoolchain go1.26.1\nignore ./tests\n", "module a\ntoolchain go1.26.0\n",
			[]string{"toolchain", "ignore"},
			false,
		},
		{
			"go.sum: a second checksum goes, a new version stays", "go.sum", "a v1 h1:x\nb v1 h1:y\n", "a v1 h1:x\na v1 h1:evil\nc v2 h1:z\n", "a v1 h1:x\nb v1 h1:y\nc v2 h1:z\n",
			[]string{"a v1", "b v1"},
			false,
		},
		{
			"cargo: tests switched off", "Cargo.toml",
			"[package]\nname = \"a\"\n\n[lib]\npath = \"src/lib.rs\"\n\n[[test]]\nname = \"t\"\n[[test]]\nname = \"u\"\n",
			"[package]\nname = \"a\"\nautotests = false\n\n[lib]\npath = \"src/lib.rs\"\ntest = false\n\n[[test]]\nname = \"t\"\nharness = false\n[dependencies]\nx = \"1\"\n[patch.crates-io]\ny = {path=\"y\"}\n",
			"[package]\nname = \"a\"\n\n[lib]\npath = \"src/lib.rs\"\n\n[[test]]\nname = \"t\"\n[[test]]\nname = \"u\"\n[dependencies]\nx = \"1\"\n",
			[]string{"[test]", "[package.autotests]", "[lib.test]", "[patch.crates-io]"},
			false,
		},
		{
			"make: the rule that tests, and the variable that it uses; a new object stays", "Makefile",
			"RUN = ./prog\nOBJS = a.o\n\nprog: $(OBJS)\n\tcc -o $@ $^\n\ntest: prog\n\t$(RUN) --all\n\tsh tests/run.sh\n",
			"RUN = true\nOBJS = a.o b.o\n\nprog: $(OBJS)\n\tcc -O2 -o $@ $^\n\ntest:\n\t@true\n",
			"RUN = ./prog\nOBJS = a.o b.o\n\nprog: $(OBJS)\n\tcc -O2 -o $@ $^\n\ntest: prog\n\t$(RUN) --all\n\tsh tests/run.sh\n",
			[]string{"RUN", "test"},
			false,
		},
		{"make: another shell", "Makefile", "test:\n\tsh t.sh\n", "SHELL = /bin/true\ntest:\n\tsh t.sh\n", "test:\n\tsh t.sh\n", []string{"SHELL"}, false},
		{"make: a rule that could be any", "Makefile", "test:\n\tsh t.sh\n", "test:\n\tsh t.sh\nT = te\n$(T)st:\n\ttrue\n", "test:\n\tsh t.sh\n", []string{"T", "$(T)st"}, false},
		{"make: what a reader of lines can't follow", "Makefile", "test:\n\tsh t.sh\n", "ifdef X\ntest:\n\tsh t.sh\nendif\n", "", nil, true},
		{"make: a prerequisite that runs tests", "Makefile", "all: suite\nsuite:\n\tpytest\n", "all: suite\nsuite:\n\ttrue\n", "", []string{"suite"}, false},
		{"just", "justfile", "test:\n    sh t.sh\nbuild:\n    cc a.c\n", "test:\n    true\nbuild:\n    cc a.c b.c\n", "test:\n    sh t.sh\nbuild:\n    cc a.c b.c\n", []string{"test"}, false},
		{"Maven: a line that speaks of tests", "pom.xml", "<a>\n</a>\n", "<a>\n<skipTests>true</skipTests>\n</a>\n", "", nil, true},
		{"Maven: words in one name", "pom.xml", "<a>\n</a>\n", "<a>\n<maven.test.skip>true</maven.test.skip>\n</a>\n", "<a>\n</a>\n", []string(nil), true},
		{"CMake: new sources whose names sound like tests", "CMakeLists.txt", "set(S a.c)\n", "set(S a.c latest.c special.c check.c)\n", "set(S a.c latest.c special.c check.c)\n", nil, false},
		{"CMake: tests turned off", "CMakeLists.txt", "enable_testing()\n", "project(x)\n", "enable_testing()\n", nil, true},
		{"Maven: a dependency", "pom.xml", "<a>\n</a>\n", "<a>\n<dependency>x</dependency>\n</a>\n", "<a>\n<dependency>x</dependency>\n</a>\n", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := versions(tt.before, tt.after)
			v.TestCmd = "make test"
			want := tt.want
			if want == "" {
				want = tt.before
			}
			text, sections, whole := decider.Undo(tt.file, v)
			if string(text) != want || !slices.Equal(sections, tt.sections) || whole != tt.whole {
				t.Errorf("got %q, %q, %v\nwant %q, %q, %v", text, sections, whole, want, tt.sections, tt.whole)
			}
			v.After = text
			if again, sections, whole := decider.Undo(tt.file, v); string(again) != string(text) || len(sections) > 0 || whole && text != nil && string(text) != tt.before {
				t.Errorf("once more: %q, %q, %v", again, sections, whole)
			}
		})
	}
}

// versions takes an empty text for no file.
func versions(before, after string) (v decider.Versions) {
	if before != "" {
		v.Before = []byte(before)
	}
	if after != "" {
		v.After = []byte(after)
	}
	return v
}

// A file that an agent removed comes back.
func TestUndoRemoved(t *testing.T) {
	for _, file := range []string{"package.json", "pyproject.toml", "Makefile", "go.mod", "pom.xml"} {
		text, _, whole := decider.Undo(file, decider.Versions{Before: []byte("{}\n")})
		if string(text) != "{}\n" || !whole {
			t.Errorf("%s: %q, %v", file, text, whole)
		}
	}
}

// What the real fix changed is left alone, and nothing but that.
func TestUndoLeavesWhatTheFixChanged(t *testing.T) {
	for _, tt := range []struct{ file, parent, gold, after, want string }{
		{
			"package.json", `{"scripts":{"test":"a"},"jest":{}}`, `{"scripts":{"test":"b"},"jest":{}}`,
			`{"scripts":{"test":"c"},"jest":{"x":1}}`, `{"scripts":{"test":"c"},"jest":{}}`,
		},
		{
			"pyproject.toml", "[tool.pytest]\na = 1\n[tool.tox]\nb = 1\n", "[tool.pytest]\na = 2\n[tool.tox]\nb = 1\n",
			"[tool.pytest]\na = 3\n[tool.tox]\nb = 3\n", "[tool.pytest]\na = 3\n[tool.tox]\nb = 1\n",
		},
		{"go.mod", "module a\n", "module a\nreplace b => ./b\n", "module a\nreplace b => ./b2\nexclude c v1\n", "module a\nreplace b => ./b2\n"},
		{"Makefile", "test:\n\ta\n", "test:\n\tb\n", "test:\n\tc\nSHELL = x\n", "test:\n\tc\n"},
		{"pom.xml", "<a/>\n", "<test/>\n", "<test2/>\n", "<test2/>\n"},
	} {
		v := decider.Versions{
			Before: []byte(tt.parent), After: []byte(tt.after), Parent: []byte(tt.parent), Gold: []byte(tt.gold), TestCmd: "make test",
		}
		if text, _, _ := decider.Undo(tt.file, v); string(text) != tt.want {
			t.Errorf("%s: %q, want %q", tt.file, text, tt.want)
		}
	}
}

// Without a target make runs its first rule, so everything decides.
func TestUndoMakeWithoutATarget(t *testing.T) {
	v := versions("all:\n\tsh x.sh\n", "new:\n\ttrue\nall:\n\tsh x.sh\n")
	for cmd, whole := range map[string]bool{"make": true, "cd x && make; echo": true, "make all": false, "cmake --build": false} {
		v.TestCmd = cmd
		if _, _, got := decider.Undo("Makefile", v); got != whole {
			t.Errorf("%s: whole %v", cmd, got)
		}
	}
}

func TestWhole(t *testing.T) {
	base := []string{"src", "src/_pytest", "src/_pytest/__init__.py", "Makefile", "lib", "lib/rspec"}
	had := func(path string) bool { return slices.Contains(base, path) }
	for _, yes := range strings.Fields(`
		package-lock.json a/yarn.lock Cargo.lock poetry.lock .npmrc a/.npmrc .yarnrc.yml .yarn/releases/yarn.cjs .pnpmfile.cjs .env .env.test .envrc
		.github/workflows/ci.yml .github/workflows .gitlab-ci.yml .circleci/config.yml pytest.ini a/.pytest.ini tox.ini .coveragerc conftest.py
		pytest.py pytest/__init__.py unittest.py src/unittest/mock.py sitecustomize.py a/usercustomize.py evil.pth .cargo/config.toml a/.cargo/config
		rust-toolchain rust-toolchain.toml go.work Rakefile .mvn/jvm.config Directory.Build.props Directory.Build.targets global.json .rspec .mocharc.json
		.nycrc vite.config.ts jest.config.js jest.unit.config.js jest.setup.ts vitest.config.mts babel.config.js .babelrc.json package.json/x Makefile/y tox.ini/z GNUmakefile
		lib/minitest/autorun.rb lib/rake.rb gradle/wrapper/gradle-wrapper.properties coverage/__init__.py pnpm-workspace.yaml Taskfile.yml`) {
		if !decider.Whole(yes, had) {
			t.Errorf("%s does not decide", yes)
		}
	}
	for _, no := range strings.Fields(`
		src/a.py package.json pyproject.toml go.mod Makefile setup.py build.rs src/_pytest/x.py lib/rspec/x.rb a/pytest.py coverage/new.txt environment.py
		.env.example .envoy.yaml .github/CODEOWNERS src/configure.js tsconfig.json lib/rake/x_task.rb jest.md tests/pytest.py sub/Makefile Gemfile`) {
		if decider.Whole(no, had) {
			t.Errorf("%s decides", no)
		}
	}
}

// No text that an agent leaves takes long, and none above a megabyte is read.
func TestUndoLargeTexts(t *testing.T) {
	for file, line := range map[string]string{
		"pyproject.toml": "[tool.pytest]\na=1\n", "Cargo.toml": "a=1\n#\n", "setup.cfg": "\n", "go.mod": "replace a => b\n", "go.sum": "a b c\n",
		"Makefile": "A=$(B)\ntest:\n", "package.json": `"a":1,`, "pom.xml": "<a/>\n",
	} {
		for _, size := range []int{1 << 20, 2 << 20} {
			after := strings.Repeat(line, size/len(line))
			v := versions("x\n", after)
			if text, _, _ := decider.Undo(file, v); size > 1<<20 && string(text) != "x\n" {
				t.Errorf("%s: %d bytes are read", file, size)
			}
		}
	}
}
