package decider

import (
	"slices"
	"strings"
)

func isMake(name string) bool {
	switch name {
	case "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile":
		return true
	}
	return false
}

// undoMake puts back the rules of a make file that run tests, and the variables
// that these use. Rules that build stay the agent's, as the code does which they
// build. What a reader of lines can't follow (conditionals, includes, exports,
// definitions over several lines) must be as before, or the whole file is put
// back; so it is where the test command names no target.
func undoMake(v Versions) (text []byte, sections []string, whole bool) {
	before, after := splitMake(v.Before), splitMake(v.After)
	m := newMakeRules(before, after, v.TestCmd)
	f := format{split: func(text []byte) ([]part, bool) { return splitMake(text), true }, decides: m.decides, show: showMake}
	text, sections, whole = undoParts(f, v)
	if len(sections) > 0 && (slices.Contains(sections, structure) || m.first) {
		return v.Before, nil, true
	}
	if m.first && !whole && string(text) != string(v.Before) && v.Gold == nil {
		return v.Before, nil, true
	}
	return text, sections, whole
}

// Names of parts: a rule's are its targets, a variable's is its name with mark.
const (
	structure = "\x01structure"
	variable  = "\x02"
)

func showMake(name string) string { return strings.TrimPrefix(name, variable) }

// makeRules decides which parts of a make file run tests.
type makeRules struct {
	names map[string]bool
	first bool // the test command names no target: the first rule runs
}

func newMakeRules(before, after []part, testCmd string) makeRules {
	m := makeRules{names: map[string]bool{structure: true}, first: namesNoTarget(testCmd)}
	for _, p := range before {
		if !strings.HasPrefix(p.name, variable) && (runsTests(p.name, testCmd) || mentionsTests(string(p.text))) {
			m.names[p.name] = true
		}
	}
	for _, p := range after {
		if !strings.HasPrefix(p.name, variable) && runsTests(p.name, testCmd) {
			m.names[p.name] = true
		}
	}
	m.addUsed(slices.Concat(before, after))
	return m
}

// namesNoTarget tells whether a command line starts make or just without a word.
func namesNoTarget(testCmd string) bool {
	commands := strings.FieldsFunc(testCmd, func(r rune) bool { return strings.ContainsRune(";&|()", r) })
	return slices.ContainsFunc(commands, func(c string) bool {
		words := strings.Fields(c)
		return len(words) == 1 && (words[0] == "make" || words[0] == "just" || words[0] == "gmake")
	})
}

// addUsed adds the variables that the parts known so far mention, and those that
// these mention.
func (m makeRules) addUsed(parts []part) {
	variables := map[string][]part{}
	var open []part
	for _, p := range parts {
		if name, is := strings.CutPrefix(p.name, variable); is {
			variables[name] = append(variables[name], p)
			m.names[p.name] = m.names[p.name] || strings.Contains(string(p.text), "eval")
		}
	}
	for _, p := range parts {
		if m.decides(p.name) {
			open = append(open, p)
		}
	}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		for _, word := range wordsOf(string(p.text)) {
			if used := variables[word]; used != nil {
				delete(variables, word)
				m.names[variable+word] = true
				open = append(open, used...)
			}
		}
	}
}

func (m makeRules) decides(name string) bool {
	if m.names[name] {
		return true
	}
	switch strings.TrimPrefix(name, variable) {
	case "SHELL", ".SHELLFLAGS", "MAKE", "MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "MFLAGS", ".DEFAULT_GOAL", ".RECIPEPREFIX", "VPATH", "PATH", "HOME", "TMPDIR":
		return true
	}
	return false
}
