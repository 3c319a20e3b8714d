package grade

import (
	"bufio"
	"strconv"
	"strings"
)

// goText reads what go test -v prints where its JSON can't be had: below make. The
// name of a package comes after its tests.
type goText struct {
	*namer
	Results
	running map[string]bool
	ended   map[string]Test
}

func readGoText(in *bufio.Reader, n *namer) Results {
	g := &goText{namer: n}
	g.reset()
	g.Cut = !lines(in, func(raw []byte) { g.line(strings.ToValidUTF8(string(raw), "\uFFFD")) })
	g.Cut = g.Cut || len(g.running)+len(g.ended) > 0 // no line names their package
	return g.Results
}

func (g *goText) reset() { g.running, g.ended = map[string]bool{}, map[string]Test{} }

func (g *goText) line(line string) {
	if name, ok := strings.CutPrefix(line, "=== RUN   "); ok && len(g.running) < maxTests {
		g.running[name] = true
		return
	}
	if name, t, ok := goTestLine(line); ok {
		if old, twice := g.ended[name]; len(g.ended) < maxTests && (!twice || t.Status.worse(old.Status)) {
			g.ended[name] = t
		}
		return
	}
	if pkg, ok, is := goPackageLine(line); is {
		g.close(pkg, ok)
	}
}

// close gives the tests since the last package to this one. What started and has
// no end was running when the package died.
func (g *goText) close(pkg string, ok bool) {
	bad := false
	for name, t := range g.ended {
		delete(g.running, name)
		g.add(g.name(pkg, name), t)
		bad = bad || t.Status.Bad()
	}
	for name := range g.running {
		if !ok {
			g.add(g.name(pkg, name), Test{Status: Failed})
			bad = true
		}
	}
	if !ok && !bad {
		g.breaks(g.name(pkg))
	}
	g.reset()
}

// goTestLine reads "--- PASS: TestX (0.01s)", with more indent for a test in
// another.
func goTestLine(line string) (name string, t Test, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "--- ")
	word, rest, found := strings.Cut(rest, ": ")
	at := strings.LastIndex(rest, " (")
	if !ok || !found || at < 1 || !strings.HasSuffix(rest, "s)") {
		return "", t, false
	}
	seconds, err := strconv.ParseFloat(rest[at+2:len(rest)-2], 64)
	switch word {
	case "PASS":
		t.Status = Passed
	case "FAIL":
		t.Status = Failed
	case "SKIP":
		t.Status = Skipped
	}
	t.Seconds = seconds
	return rest[:at], t, err == nil && t.Status != ""
}

// goPackageLine reads "ok  \tpkg\t0.1s", "FAIL\tpkg [build failed]" and "?   \tpkg\t[no
// test files]".
func goPackageLine(line string) (pkg string, ok, is bool) {
	word, rest, found := strings.Cut(line, "\t")
	pkg, _, _ = strings.Cut(rest, "\t")
	pkg, _, _ = strings.Cut(pkg, " ")
	switch strings.TrimSpace(word) {
	case "ok", "?":
		return pkg, true, found && pkg != ""
	case "FAIL":
		return pkg, false, found && pkg != ""
	}
	return "", false, false
}
