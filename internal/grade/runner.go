package grade

import (
	"path"
	"strings"
)

// runnerOf finds the runner that a command starts, and its last word.
func runnerOf(c command) (r runner, at int, ok bool) {
	if len(c) == 0 {
		return r, 0, false
	}
	all, name := runners(), program(c[0].text)
	for at := min(len(c), 3) - 1; at >= 0 && name != "python"; at-- {
		if r, ok = all[starting(name, c[1:at+1])]; ok {
			return r, at, (name != "node" || testMode(c)) && (name != "ruby" || testScript(c))
		}
	}
	if name == "python" {
		return pythonRunner(all, c)
	}
	return r, 0, false
}

// pythonRunner finds what "python -W error -m pytest" and "python manage.py test" start.
func pythonRunner(all map[string]runner, c command) (r runner, at int, ok bool) {
	for at = 1; at+1 < len(c); at++ {
		switch next := c[at+1].text; {
		case c[at].text == "-m":
			r, ok = all["python -m "+next]
			if r.name == "unittest" && at+2 < len(c) && c[at+2].text == "discover" {
				at++ // takes flags of its own
			}
			return r, at + 1, ok
		case !strings.HasPrefix(c[at].text, "-"):
			r, ok = all[path.Base(c[at].text)+" "+next]
			return r, at + 1, ok && r.name == "Django"
		}
	}
	return r, 0, false
}

// unittestScript: "python test_x.py" runs unittest, which takes flags from its line,
// where the script ends in a plain unittest.main().
func (a asker) unittestScript(dir string, c command) (r runner, at int, ok bool) {
	if len(c) < 2 || program(c[0].text) != "python" || !strings.HasSuffix(c[1].text, ".py") {
		return r, 0, false
	}
	text := a.repo.text(join(dir, c[1].text))
	return pythonRunners()["python -m unittest"], 1, strings.Contains(text, "\n    unittest.main()\n")
}

// starting is the words that start a program, with a space between.
func starting(name string, more command) string {
	for _, w := range more {
		name += " " + w.text
	}
	return name
}

// testScript: a Ruby script that looks like a test runs minitest.
func testScript(c command) bool {
	for _, w := range c[1:] {
		if strings.HasSuffix(w.text, ".rb") {
			name := path.Base(w.text)
			return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.rb")
		}
	}
	return false
}

// testMode: only node --test reports tests.
func testMode(c command) bool {
	for _, w := range c[1:] {
		if w.text == "--test" {
			return true
		}
	}
	return false
}

// program is what a path starts, without versions: python3.12 is python.
func program(text string) string {
	name := strings.TrimSuffix(path.Base(text), ".js")
	if rest, ok := strings.CutPrefix(name, "python"); ok && strings.Trim(rest, "0123456789.") == "" {
		return "python"
	}
	return strings.TrimPrefix(name, "_") // mocha's own _mocha
}
