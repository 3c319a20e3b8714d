package grade

import (
	"bufio"
	"strconv"
	"strings"
)

// tap reads TAP 12 to 14. Subtests are indented, and the line that sums them up
// comes after them, so they wait for its name.
type tap struct {
	*namer
	Results
	levels []tapLevel
	count  int  // tests held in levels
	nested bool // a comment says that a subtest starts
	yaml   string
}

type tapLevel struct {
	indent int
	tests  []tapTest
	plan   int // of 1..N; -1 for none
	seen   int
}

type tapTest struct {
	path   []string
	status Status
}

func readTAP(in *bufio.Reader, n *namer) Results {
	t := &tap{namer: n, levels: []tapLevel{{plan: -1}}}
	t.Cut = !lines(in, func(line []byte) { t.line(strings.ToValidUTF8(string(line), "\uFFFD")) })
	for len(t.levels) > 1 { // the report ended in a subtest, whose name never came
		t.Cut = true
		if last := &t.levels[len(t.levels)-1]; t.nested {
			last.tests = nil
		}
		t.close("")
	}
	top := t.levels[0]
	for _, test := range top.tests {
		t.add(t.nth(t.name(test.path...)), Test{Status: test.status})
	}
	if top.plan >= 0 && top.seen < top.plan {
		t.Cut = true
	}
	return t.Results
}

func (t *tap) line(line string) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	switch {
	case t.yaml != "": // a block about the test before
		if line == t.yaml {
			t.yaml = ""
		}
		return
	case text == "---" && indent > 0:
		t.yaml = line[:indent] + "..."
		return
	case strings.HasPrefix(line, "Bail out!"):
		t.Cut = true
		t.breaks("bail out")
		return
	}
	t.nested = t.nested || strings.HasPrefix(text, "# Subtest")
	// tap up to 16 wants all code covered unless it is told otherwise, in nyc's words.
	t.Uncovered = t.Uncovered || strings.HasPrefix(line, "ERROR: Coverage for ") && strings.Contains(line, " does not meet ")
	if plan := tapPlan(text); plan >= 0 {
		t.level(indent).plan = plan
	}
	if ok, rest, is := tapTestLine(text); is {
		t.test(indent, ok, rest)
	}
}

// level is the one of an indent, opened if need be. Lines that stand further
// left than an open level belong to the nearest that is not deeper.
func (t *tap) level(indent int) *tapLevel {
	for len(t.levels) > 1 && t.levels[len(t.levels)-1].indent > indent {
		t.close("")
	}
	if top := t.levels[len(t.levels)-1]; top.indent < indent && len(t.levels) < maxDepth {
		t.levels = append(t.levels, tapLevel{indent: indent, plan: -1})
	}
	return &t.levels[len(t.levels)-1]
}

// test takes a result. One that follows subtests is their sum: it is no test of
// its own unless it says more than they do.
func (t *tap) test(indent int, ok bool, rest string) {
	name, status := tapName(ok, rest)
	for len(t.levels) > 1 && t.levels[len(t.levels)-2].indent > indent {
		t.close("")
	}
	if top := t.levels[len(t.levels)-1]; len(t.levels) > 1 && top.indent > indent && t.sums(top, status) {
		t.sink(indent, name)
		t.levels[len(t.levels)-1].seen++
		return
	}
	level := t.level(indent)
	level.seen++
	if t.count++; t.count > maxTests {
		t.Cut = true
		return
	}
	level.tests = append(level.tests, tapTest{[]string{name}, status})
}

// sums tells whether a status is no more than what the subtests say together.
func (t *tap) sums(deep tapLevel, status Status) bool {
	bad := false
	for _, sub := range deep.tests {
		bad = bad || sub.status.Bad()
	}
	return len(deep.tests) > 0 && (bad || status != Failed)
}

// sink puts the subtests of the deepest level under a name into the level of an
// indent, which may have had no line of its own yet.
func (t *tap) sink(indent int, name string) {
	if above := t.levels[len(t.levels)-2]; above.indent < indent {
		deep := t.levels[len(t.levels)-1]
		t.levels[len(t.levels)-1] = tapLevel{indent: indent, plan: -1}
		t.levels = append(t.levels, deep)
	}
	t.close(name)
}

// close puts the subtests of the deepest level under a name into the one above.
func (t *tap) close(name string) {
	last := len(t.levels) - 1
	deep := t.levels[last]
	t.levels = t.levels[:last]
	if deep.plan > deep.seen {
		t.Cut = true
	}
	above := &t.levels[last-1]
	for _, test := range deep.tests {
		if name != "" {
			test.path = append([]string{name}, test.path...)
		}
		above.tests = append(above.tests, test)
	}
}

// tapPlan reads 1..N; -1 for another line.
func tapPlan(text string) int {
	rest, ok := strings.CutPrefix(text, "1..")
	if !ok {
		return -1
	}
	digits, _, _ := strings.Cut(rest, "#")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

func tapTestLine(text string) (ok bool, rest string, is bool) {
	rest, not := strings.CutPrefix(text, "not ")
	rest, is = strings.CutPrefix(rest, "ok")
	if !is || rest != "" && rest[0] != ' ' {
		return false, "", false
	}
	return !not, strings.TrimSpace(rest), true
}

// tapName takes number and directive off a test line. A todo that fails is
// expected to.
func tapName(ok bool, rest string) (name string, status Status) {
	digits := strings.TrimLeft(rest, "0123456789")
	number := rest[:len(rest)-len(digits)]
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(digits), "-"))
	name = strings.TrimSuffix(strings.TrimSpace(name), "{") // subtests that follow in braces
	status = Failed
	if ok {
		status = Passed
	}
	reason, dash := "", strings.HasPrefix(strings.TrimSpace(digits), "-")
	if at := directive(name); at >= 0 {
		word := strings.ToUpper(strings.TrimSpace(name[at+1:]))
		name, reason = strings.TrimSpace(name[:at]), strings.TrimSpace(name[at+1:])
		if strings.HasPrefix(word, "SKIP") || strings.HasPrefix(word, "TODO") {
			status = Skipped
		}
	}
	if _, after, ok := strings.Cut(reason, " "); name == "" && ok && dash {
		name = after // busted's skipped tests have their name there
	}
	if name = strings.ReplaceAll(strings.TrimSpace(name), `\#`, "#"); name == "" {
		name = "test " + number
	}
	return name, status
}

// directive finds the last "#" that starts one and is not escaped; -1 for none.
func directive(name string) int {
	for at := len(name) - 1; at >= 0; at-- {
		if name[at] != '#' || at > 0 && name[at-1] == '\\' {
			continue
		}
		word := strings.ToUpper(strings.TrimSpace(name[at+1:]))
		if strings.HasPrefix(word, "SKIP") || strings.HasPrefix(word, "TODO") || strings.HasPrefix(word, "TIME=") || strings.HasPrefix(word, "DURATION_MS") {
			return at
		}
	}
	return -1
}
