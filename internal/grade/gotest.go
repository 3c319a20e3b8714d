package grade

import (
	"bufio"
	"strings"
)

type goEvent struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

// goRun is the state of one package.
type goRun struct {
	running  map[string]bool // false: it waits for others to end
	tests    int
	panicked string // the test that a panic was printed in
	whole    bool   // the package came to its own end
}

// readGo reads the lines of go test -json; what else a command prints is passed
// over. A test that started and has no end was running when its package died: it
// failed. A package that fails without a test of its own was not built.
func readGo(in *bufio.Reader, n *namer) Results {
	g := goReport{namer: n, runs: map[string]*goRun{}}
	g.Cut = !lines(in, func(line []byte) {
		var e goEvent
		if member(line, &e) && e.Package != "" && len(g.runs) <= maxTests {
			g.take(e)
		}
	})
	for pkg, run := range g.runs { // packages without an end
		g.died(pkg, run)
	}
	return g.Results
}

type goReport struct {
	*namer
	Results
	runs map[string]*goRun
}

func (g *goReport) take(e goEvent) {
	run := g.runs[e.Package]
	if run == nil {
		run = &goRun{running: map[string]bool{}}
		g.runs[e.Package] = run
	}
	if e.Test == "" {
		g.ended(e, run)
		return
	}
	switch e.Action {
	case "run":
		if run.tests++; run.tests <= maxTests {
			run.running[e.Test] = true
		}
	case "pause", "cont":
		if _, started := run.running[e.Test]; started {
			run.running[e.Test] = e.Action == "cont"
		}
	case "output":
		if strings.HasPrefix(e.Output, "panic: ") {
			run.panicked = e.Test
		}
	case "pass", "fail", "skip":
		delete(run.running, e.Test)
		g.add(g.name(e.Package, e.Test), Test{Status: goStatus(e.Action), Seconds: e.Elapsed})
	}
}

// ended takes the end of a package.
func (g *goReport) ended(e goEvent, run *goRun) {
	switch e.Action {
	case "output":
		run.whole = run.whole || e.Output == "FAIL\n"
	case "fail":
		if !run.whole {
			g.killers(e.Package, run)
		}
		if run.tests == 0 || !g.died(e.Package, run) && !g.failing(e.Package) {
			g.breaks(g.name(e.Package))
		}
	case "pass", "skip":
		run.running = map[string]bool{}
	}
}

// died makes failures of the tests that were running. Those that wait for
// others (parents, paused ones) count, too: none of them passed.
func (g *goReport) died(pkg string, run *goRun) bool {
	died := len(run.running) > 0
	for test := range run.running {
		g.add(g.name(pkg, test), Test{Status: Failed})
	}
	run.running = map[string]bool{}
	return died
}

// killers are the tests that took their package with them: the one that panicked,
// else those that were at work when it ended.
func (g *goReport) killers(pkg string, run *goRun) {
	for test, working := range run.running {
		if working && run.panicked == "" {
			g.kills(g.name(pkg, test))
		}
	}
	if run.panicked != "" {
		g.kills(g.name(pkg, run.panicked))
	}
}

// failing tells whether a test of the package failed: if none did, its failure
// is that of a TestMain, a race at the end or a build.
func (g *goReport) failing(pkg string) bool {
	prefix := g.name(pkg) + "::"
	for name, t := range g.Tests {
		if t.Status.Bad() && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func goStatus(action string) Status {
	switch action {
	case "pass":
		return Passed
	case "skip":
		return Skipped
	}
	return Failed
}
