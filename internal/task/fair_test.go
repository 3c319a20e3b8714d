package task

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/fair"
	"checkrein/internal/untested"
)

// checkNames mines twice: without hints, which leaves out the commits whose tests
// need names that nothing gives, and with them.
func (h *history) checkNames(command string, fine []string, unfair map[string][]fair.Name) (withHints *Document) {
	h.t.Helper()
	options := func(hints bool) func(*Options) {
		return func(o *Options) {
			o.Grading, o.Reruns, o.Hints, o.TestCmd, o.Max, o.Env = ByTests, 0, hints, command, 9, goEnv(o.Env)
		}
	}
	doc, err := h.mine(options(false))
	if err != nil {
		h.t.Fatal(err)
	}
	dropped := map[string][]fair.Name{}
	for _, d := range doc.Dropped {
		dropped[d.Commit] = d.Names
	}
	if diff := cmp.Diff(unfair, dropped); diff != "" {
		h.t.Errorf("left out (-want +got):\n%s", diff)
	}
	var kept []string
	for _, t := range doc.Tasks {
		kept = append(kept, t.Commit)
		if t.Fair == nil || len(t.Fair.Names) > 0 || len(t.Hints) > 0 {
			h.t.Errorf("%s: %+v", t.Subject, t.Fair)
		}
	}
	slices.Sort(kept)
	slices.Sort(fine)
	if !slices.Equal(kept, fine) || doc.Counts.Rejected[NothingGives] != len(unfair) {
		h.t.Errorf("kept %v, want %v; %+v", kept, fine, doc.Counts)
	}
	if doc, err = h.mine(options(true)); err != nil {
		h.t.Fatal(err)
	}
	if len(doc.Tasks) != len(fine)+len(unfair) || len(doc.Dropped) > 0 {
		h.t.Errorf("with hints %d tasks are kept and %d are not", len(doc.Tasks), len(doc.Dropped))
	}
	for _, t := range doc.Tasks {
		if diff := cmp.Diff(unfair[t.Commit], t.Hints); diff != "" || t.Fair.Hinted != (len(t.Hints) > 0) {
			h.t.Errorf("%s, hints (-want +got):\n%s", t.Subject, diff)
		}
	}
	return doc
}

// The shapes of gin: an unexported function, a constant and a variable that tests
// of the same package use.
func TestHiddenNamesInGo(t *testing.T) {
	tools(t, "go")
	h := newHistory(t)
	const head = "package web\n\nimport \"testing\"\n\n"
	test := func(name, body string) string {
		return head + "func Test" + name + "(t *testing.T) {\n\t" + body + "\n}\n"
	}
	start := h.commit("Start with Port", map[string]string{
		"go.mod": "module web\n\ngo 1.24\n", "web.go": "package web\n\nfunc Port() int { return 80 }\n",
		"web_test.go": test("Port", "if Port() != 80 {\n\t\tt.Fatal()\n\t}"),
	})
	file := "package web\n\n// readNthLine reads a line.\nfunc readNthLine(n int) int { return n }\n\nfunc Line(n int) int { return readNthLine(n) }\n"
	line := h.commit("perf: read one line of the source only", map[string]string{
		"recovery.go": file, "recovery_test.go": test("Line", "if readNthLine(2) != 2 || Line(3) != 3 {\n\t\tt.Fatal()\n\t}"),
	})
	ip := h.commit("Keep the address in one place", map[string]string{
		"web.go":      "package web\n\nconst localhostIP = \"127.0.0.1\"\n\nfunc Port() int { return 81 }\n",
		"web_test.go": test("Port", "if Port() != 81 || localhostIP == \"\" {\n\t\tt.Fatal()\n\t}"),
	})
	given := h.commit("Add Host, which says the address", map[string]string{
		"host.go": "package web\n\nfunc Host() string { return localhostIP }\n", "host_test.go": test("Host", "if Host() != localhostIP {\n\t\tt.Fatal()\n\t}"),
	})
	plain := h.commit("Use port 82", map[string]string{
		"web.go":      "package web\n\nconst localhostIP = \"127.0.0.1\"\n\nfunc Port() int { return 82 }\n",
		"web_test.go": test("Port", "if Port() != 82 {\n\t\tt.Fatal()\n\t}"),
	})
	doc := h.checkNames("go test ./...", []string{start, given, plain}, map[string][]fair.Name{
		line: {{Name: "readNthLine", File: "recovery.go"}}, ip: {{Name: "localhostIP", File: "web.go"}},
	})
	for _, task := range doc.Tasks {
		if builds := task.Commit == plain; task.Fair.NoResults == builds || task.Fair.Telling != 1 {
			t.Errorf("%s: %+v", task.Subject, task.Fair)
		}
	}
}

// The shapes of click: a class that an import names, a member of a module, a new
// module, and a name behind the first one that an interpreter stops at.
func TestHiddenNamesInPython(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH")) // a version manager's python may lack what the system's has
	tools(t, "python3")
	if exec.Command("python3", "-c", "import pytest").Run() != nil {
		untested.Here(t, "no pytest")
	}
	h := newHistory(t)
	start := h.commit("Start with one", map[string]string{"conftest.py": "", "m.py": "def one():\n    return 1\n", "tests/test_m.py": "import m\n\ndef test_one():\n    assert m.one() == 1\n"})
	imported := h.commit("Page output as it comes", map[string]string{
		"pages.py":            "class _PagerWriter:\n    pass\n\nclass _LazyFile:\n    pass\n",
		"tests/test_pages.py": "from pages import _PagerWriter\nfrom pages import _LazyFile\n\ndef test_pages():\n    assert _PagerWriter and _LazyFile\n",
	})
	member := h.commit("Streams in binary", map[string]string{
		"m.py":              "def one():\n    return 1\n\ndef _get_binary_stream():\n    return b''\n",
		"tests/test_bin.py": "import m\n\ndef test_bin():\n    assert m._get_binary_stream() == b''\n",
	})
	keyword := h.commit("Let callers choose the depth of it", map[string]string{
		"m.py":            "def one(how_deep=1):\n    return how_deep\n\ndef _get_binary_stream():\n    return b''\n",
		"tests/test_m.py": "import m\n\ndef test_one():\n    assert m.one() == 1\n\ndef test_deep():\n    assert m.one(how_deep=2) == 2\n",
	})
	given := h.commit("Complete in the PowerShell\n\nA class PowerShellComplete does that, in complete.py.", map[string]string{
		"complete.py": "class PowerShellComplete:\n    pass\n", "tests/test_complete.py": "def test_it():\n    from complete import PowerShellComplete\n",
	})
	h.checkNames("python3 -m pytest -q", []string{start, given}, map[string][]fair.Name{
		imported: {{Name: "_LazyFile", File: "pages.py"}, {Name: "_PagerWriter", File: "pages.py"}, {Name: "pages", File: "pages.py"}},
		member:   {{Name: "_get_binary_stream", File: "m.py"}},
		keyword:  {{Name: "how_deep", File: "m.py"}},
	})
}

func TestHiddenNamesInNode(t *testing.T) {
	tools(t, "node", "npm")
	h := newHistory(t)
	const head = "const { test } = require('node:test'); const assert = require('node:assert');\n"
	start := h.commit("Start with one", map[string]string{
		"package.json": `{"scripts": {"test": "node --test test/"}}`, "src/m.js": "exports.one = () => 1;\n",
		"test/m.test.js": head + "const m = require('../src/m.js');\ntest('one', () => { assert.equal(m.one(), 1) });\n",
	})
	member := h.commit("Give the version at run time", map[string]string{
		"src/m.js":       "exports.one = () => 1;\nexports.runtimeVersion = () => 3;\n",
		"test/v.test.js": head + "const m = require('../src/m.js');\ntest('version', () => { assert.equal(m.runtimeVersion(), 3) });\n",
	})
	exported := h.commit("Modules of the other kind", map[string]string{
		"src/every.mjs": "export const one = 1;\nexport function parseAll() { return 1 }\n", "test/every.test.mjs": "import { one } from '../src/every.mjs'; import { test } from 'node:test';\ntest('e', () => { if (!one) throw 1 });\n",
	})
	late := h.commit("Parse everything at once", map[string]string{
		"src/every.mjs":       "export const one = 1;\nexport function parseAll() { return 1 }\nexport function parseRest() { return 2 }\n",
		"test/every.test.mjs": "import { one, parseRest } from '../src/every.mjs'; import { test } from 'node:test';\ntest('e', () => { if (!one) throw 1 });\ntest('rest', () => { if (parseRest() !== 2) throw 2 });\n",
	})
	behind := h.commit("Numbers grow, and can be taken apart", map[string]string{
		"src/m.js":       "exports.one = () => 11;\nexports.runtimeVersion = () => 3;\nexports.takeApart = () => 1;\n",
		"test/m.test.js": head + "const m = require('../src/m.js');\ntest('one', () => { assert.equal(m.one(), 11); assert.equal(m.takeApart(), 1) });\n",
	})
	given := h.commit("two() gives 2", map[string]string{
		"src/m.js":       "exports.one = () => 1;\nexports.runtimeVersion = () => 3;\nexports.two = () => 2;\n",
		"test/m.test.js": head + "const m = require('../src/m.js');\ntest('one', () => { assert.equal(m.one(), 1) });\ntest('two', () => { assert.equal(m.two(), 2) });\n",
	})
	h.checkNames("npm test", []string{start, given}, map[string][]fair.Name{
		member: {{Name: "runtimeVersion", File: "src/m.js"}}, exported: {{Name: "every", File: "src/every.mjs"}},
		late: {{Name: "parseRest", File: "src/every.mjs"}}, behind: {{Name: "takeApart", File: "src/m.js"}},
	})
}

// By suite nothing is left out, but the score says it, and hints are given when
// they are asked for.
func TestHiddenNamesBySuite(t *testing.T) {
	h := newHistory(t)
	said := h.fix("one")
	unsaid := h.commit("Count them in another way", map[string]string{
		"src/two.sh": "count_all=1\n", "tests/two_test.sh": ". ./src/two.sh; [ $count_all = 1 ] || echo 'undefined: count_all'\n[ $count_all = 1 ]\n",
	})
	want := []fair.Name{{Name: "count_all", File: "src/two.sh"}}
	for _, hints := range []bool{false, true} {
		doc, err := h.mine(func(o *Options) {
			o.Hints = hints
			o.TestCmd = `for t in tests/*_test.sh; do sh $t || { echo "undefined: count_all, cannot find module 'one'"; exit 1; }; done`
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Tasks) != 2 || len(doc.Dropped) > 0 {
			t.Fatalf("%d tasks, %v", len(doc.Tasks), doc.Counts.Rejected)
		}
		for _, task := range doc.Tasks {
			switch {
			case task.Commit == said && (task.Fair.Names != nil || task.Hints != nil):
				t.Errorf("a name that the message says: %+v", task.Fair)
			case task.Commit == unsaid && (!cmp.Equal(task.Fair.Names, want) || (task.Fair.Word == fair.Poor) == hints || (task.Hints != nil) != hints):
				t.Errorf("with hints %v: %+v, hints %v", hints, task.Fair, task.Hints)
			}
		}
	}
}
