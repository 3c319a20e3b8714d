package grade

import (
	"path"
	"slices"
	"strings"
)

// selection finds the place in a planned line where files to test can stand. A
// line that names some already has them there; one with words that may be
// values of flags gives no such place.
func selection(line string, r runner, c command, shift int) Cut {
	if r.selects == "" {
		return Cut{}
	}
	end := c[0].to + shift
	cut := Cut{From: len(strings.TrimRight(line[:lastEnd(c, end, shift)], " ")), By: r.selects}
	cut.To = cut.From
	named := false
	for _, w := range c[1:] {
		switch positional := !strings.HasPrefix(w.text, "-"); {
		case w.text == "--":
			return Cut{}
		case positional && !looksLikePath(w.text):
			return Cut{}
		case positional && !named:
			named, cut.From, cut.To = true, w.from+shift, w.to+shift
		case positional:
			if strings.TrimSpace(line[cut.To:w.from+shift]) != "" {
				return Cut{} // flags between paths
			}
			cut.To = w.to + shift
		}
	}
	return cut
}

func lastEnd(c command, end, shift int) int {
	if len(c) > 1 {
		end = c[len(c)-1].to + shift
	}
	return end
}

func looksLikePath(text string) bool {
	return strings.ContainsAny(text, "/.*") || slices.Contains([]string{"test", "tests", "spec", "specs", "__tests__"}, text)
}

// Select is the plan for the tests that files hold, and whether that can be
// planned: when every file is one that the runner takes by itself.
func (p Plan) Select(files []string, has func(path string) bool) (Plan, bool) {
	if p.Around.By == "" || len(files) == 0 || p.Around.From > p.Around.To || p.Around.To > len(p.Line) || p.Around.From < 0 {
		return p, false
	}
	var words []string
	for _, file := range files {
		word, ok := p.selected(file, has)
		if !ok || !p.within(file) {
			return p, false
		}
		if word = quote(word); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	lead := strings.TrimRight(p.Line[:p.Around.From], " ")
	if p.Around.By == "jest" {
		lead += " --runTestsByPath"
	}
	tail := p.Line[p.Around.To:]
	p.Line, p.Around = lead+" "+strings.Join(words, " ")+tail, Cut{}
	return p, true
}

// within tells whether a file can be one of those that a line names: "tsc && node
// --test dist" tests what comes of a file and not the file. Go's packages may be named
// by their address, and jest's words are patterns for any part of a path.
func (p Plan) within(file string) bool {
	named := strings.Fields(p.Line[p.Around.From:p.Around.To])
	for _, word := range named {
		word = strings.TrimPrefix(strings.Trim(word, `'"`), "./")
		if at := strings.IndexAny(word, "*?[{("); at >= 0 {
			word = word[:at]
		}
		if word == "." || strings.Contains("/"+file, "/"+word) || p.Around.By == "jest" && strings.Contains(file, strings.TrimLeft(word, "^.")) {
			return true
		}
	}
	return len(named) == 0 || p.Around.By == "packages"
}

// selected is what selects a file.
func (p Plan) selected(file string, has func(path string) bool) (string, bool) {
	if strings.HasPrefix(file, "-") || !runnable(p.Runner, path.Base(file)) {
		return "", false
	}
	if p.Around.By != "packages" {
		return file, has(file)
	}
	return "./" + path.Dir(file), has(file) && !nested(file, has)
}

// nested tells whether a file is in a module below the top folder's.
func nested(file string, has func(path string) bool) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if has(dir + "/go.mod") {
			return true
		}
	}
	return false
}

// runnable tells whether a runner takes a file of this name by itself; others
// (fixtures, snapshots, settings) decide about tests elsewhere.
func runnable(runner, name string) bool {
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	switch runner {
	case "pytest":
		return ext == ".py" && (strings.HasPrefix(name, "test_") || strings.HasSuffix(stem, "_test"))
	case "go test":
		return strings.HasSuffix(name, "_test.go")
	case "rspec":
		return strings.HasSuffix(name, "_spec.rb")
	case "bats":
		return ext == ".bats"
	case "ExUnit":
		return strings.HasSuffix(name, "_test.exs")
	case "mocha":
		return script(ext)
	}
	return script(ext) && (strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec"))
}

func script(ext string) bool {
	switch ext {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx":
		return true
	}
	return false
}
