package grade

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Control is a test file of ours that is put beside a hidden one. Each of its
// tests fails by its own text, so one that is reported as passed shows that
// something makes tests pass whatever they find: a hook, a report that the code
// under test writes, an assertion that no longer asserts, a clock that stands
// still.
type Control struct{ Path, Text string }

// maxControls bounds the files that get a control.
const maxControls = 5

// Controls are those for the hidden files of a task. Their tests have the tag in
// their names. Read gives the text of a file; "" for none.
func (p Plan) Controls(files []string, read func(path string) string, tag string) (out []Control) {
	write := controlOf(p.Runner)
	if write == nil {
		return nil
	}
	n := 0
	for _, file := range files {
		text := read(file)
		if text == "" || n >= maxControls || !controllable(p.Runner, path.Base(file)) {
			continue
		}
		n++
		for _, c := range []Control{{tag, write(text, tag)}, {tag + called, calling(p.Runner, text, tag)}, {tag + equal, equalling(p.Runner, text, tag)}} {
			if c.Text != "" {
				out = append(out, Control{beside(file, c.Path), c.Text})
			}
		}
	}
	return out
}

// Controllable tells whether there are controls for the plan's runner.
func (p Plan) Controllable() bool { return controlOf(p.Runner) != nil }

// Forged are the tests of controls that were reported as passed.
func (r Results) Forged(tag string) []string {
	return slices.DeleteFunc(r.passed(tag), func(name string) bool { return strings.Contains(name, tag+equal) })
}

// controllable tells whether a file beside this one would be run, too.
func controllable(runner, name string) bool {
	switch runner {
	case "node:test", "jest", "vitest", "mocha":
		return script(path.Ext(name))
	case "unittest":
		return runnable("pytest", name)
	case "Django":
		return strings.HasPrefix(name, "test") && path.Ext(name) == ".py"
	}
	return runnable(runner, name)
}

// beside is a path that a runner finds as it finds file, and runs after it.
func beside(file, tag string) string {
	dir, name := path.Split(file)
	ext := path.Ext(name)
	stem, end := strings.TrimSuffix(name, ext), ""
	for _, e := range []string{"_test", "_spec", ".test", ".spec"} {
		if rest, ok := strings.CutSuffix(stem, e); ok {
			stem, end = rest, e
		}
	}
	if ext == ".go" { // the file's own name stays in front
		return dir + stem + end + "_" + tag + end + ext
	}
	if strings.HasPrefix(end, ".") || end == "" && script(ext) {
		return dir + stem + "." + tag + end + ext
	}
	return dir + stem + "_" + tag + end + ext
}

// controlOf is how a runner's controls are written: from the text of the hidden
// file, "" when there is none for it.
func controlOf(runner string) func(text, tag string) string {
	switch runner {
	case "pytest":
		return func(_, tag string) string { return tagged(pytestControl, tag) }
	case "unittest", "Django":
		return func(_, tag string) string { return tagged(unittestControl, tag) }
	case "go test":
		return goControl
	case "node:test":
		return func(text, tag string) string { return scriptControl(text, nodeHead, tag) }
	case "jest":
		return func(text, tag string) string { return scriptControl(text, "", tag) }
	case "vitest":
		return func(text, tag string) string { return scriptControl(text, vitestHead, tag) }
	case "mocha":
		return mochaControl
	case "rspec":
		return func(_, tag string) string { return tagged(rspecControl, tag) }
	}
	return nil
}

func tagged(text, tag string) string { return strings.ReplaceAll(text, "TAG", tag) }

// goControl has the package and the build constraints of the hidden file.
func goControl(text, tag string) string {
	clause := regexp.MustCompile(`(?m)^package\s+\w+`).FindString(text)
	if clause == "" {
		return ""
	}
	var head strings.Builder
	for line := range strings.Lines(text[:strings.Index(text, clause)]) {
		if strings.HasPrefix(line, "//go:build ") {
			head.WriteString(strings.TrimRight(line, "\r\n") + "\n\n")
		}
	}
	imports, more := "", ""
	for _, name := range []string{"assert", "require"} {
		if strings.Contains(text, `"github.com/stretchr/testify/`+name+`"`) {
			imports += "\t\"github.com/stretchr/testify/" + name + "\"\n"
			more += "\nfunc Test_TAG_" + name + "(t *testing.T) {\n\t" + name + ".Equal(t, 1, 2)\n}\n"
		}
	}
	return tagged(head.String()+clause+"\n\nimport (\n\t\"testing\"\n"+imports+")\n"+goTests+more, tag)
}

// scriptControl loads the modules that the hidden file loads from the repository,
// in the same way, because what they change lasts as long as their process.
func scriptControl(text, head, tag string) string {
	loads := regexp.MustCompile(`\brequire\(\s*['"]([^'"\s]+)['"]\s*\)|\b(?:from|import)\s+['"]([^'"\s]+)['"]`)
	old := strings.Contains(text, "require(")
	var lines []string
	for _, m := range loads.FindAllStringSubmatch(text, -1) {
		name := m[1] + m[2]
		line := "import '" + name + "';"
		if old {
			line = "require('" + name + "');"
		}
		if strings.HasPrefix(name, ".") && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	body := strings.Join(lines, "\n") + "\n"
	if strings.Contains(text, "chai") {
		head += "import * as chai from 'chai';\n"
		body += chaiTests
	}
	if head != "" && old {
		head = regexp.MustCompile(`(?m)^import (?:\* as )?(.+) from ('[^']+');$`).ReplaceAllString(head, "const $1 = require($2);")
	}
	return tagged(head+body+scriptTests+assertions(head), tag)
}

// assertions are tests of the assertions that a control has at hand.
func assertions(head string) string {
	if strings.Contains(head, "assert") {
		return assertTests
	}
	return expectTests
}
