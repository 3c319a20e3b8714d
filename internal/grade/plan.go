package grade

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Version is that of what a tasks file keeps about grading by tests.
const Version = 1

// Plan says how one command is run so that it reports its tests. It is kept
// with a task, so that nothing an agent writes changes it.
type Plan struct {
	Runner string   `json:"runner"`           // whose report it is
	Line   string   `json:"command"`          // the shell line; Place stands for the report's path
	Env    []string `json:"env,omitempty"`    // variables beside those that tests see; Place, too
	Format Format   `json:"format"`           // of the report
	Stdout bool     `json:"stdout,omitzero"`  // the report is what the command prints
	Globs  string   `json:"pattern,omitzero"` // the reports lie in the copy, by this pattern
	Origin string   `json:"stands_for"`       // the command that the user or the repository gave
	Around Cut      `json:"selects,omitzero"` // how files are selected

	several bool // it is that of more than one runner
}

// Cut is the part of a plan's line that names what to test.
type Cut struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	By   string `json:"by"` // what goes there: see selection; "" when no files can be selected
}

// What stands for the path of the report.
const (
	Place   = "{report}"         // as a word of a shell line
	Bare    = "{bare report}"    // as it is
	Escaped = "{escaped report}" // in an address
	Preload = "{preload}"        // the path of the script beside it, as NODE_OPTIONS has it
)

// Filled is the plan's line and variables with a path for the report. A variable
// that several programs read may name further reports, which begin with it.
func (p Plan) Filled(report string) (line string, env []string) {
	preload := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path.Join(path.Dir(report), PreloadName)) + `"`
	fill := strings.NewReplacer(Preload, preload, Place, quote(report), Bare, report, Escaped, strings.ReplaceAll(url.PathEscape(report), "'", "%27"))
	for _, entry := range p.Env {
		env = append(env, fill.Replace(entry)) // pytest and rspec split theirs as a shell does
	}
	return strings.ReplaceAll(p.Line, Place, quote(report)), env
}

// Teller is the runner whose report a file is, by the file's name after the
// plan's own: "pytest" for report.pytest.py312; "" for the runner of the plan.
func Teller(rest string) string {
	rest, named := strings.CutPrefix(rest, ".")
	if !named {
		return ""
	}
	runner, _, _ := strings.Cut(rest, ".")
	return runner
}

// Repo is what a plan must know of the files of a repository.
type Repo struct {
	Script func(dir, name string) string // a script of the package.json in a folder; "" for none
	Has    func(path string) bool        // whether a file or folder is there
	Text   func(path string) string      // what a file says; "" for none
}

// Reports plans for reports that the user points at.
func Reports(testCmd, pattern string) Plan {
	return Plan{Runner: "reports of the command", Line: testCmd, Format: Auto, Globs: pattern, Origin: testCmd}
}

// Ask plans how a test command is asked for a report. For a command that it does
// not know it plans to look at what is printed, and for reports of runners whose
// variables reach through make, rake, tox and scripts.
func Ask(testCmd string, repo Repo) Plan {
	p, ok := ask(testCmd, repo)
	if !ok {
		p = Plan{Runner: "what the command prints", Line: testCmd, Format: Auto, Stdout: true}
		p.Env, p.Globs = reach(testCmd, repo)
	}
	p.Origin = testCmd
	return p
}

// Alone is the plan for one test of Go, which a panic of another one can hide.
// No other runner's tests need it: what they hide is a whole file, by an import
// that fails, and then the test alone fails as well.
func (p Plan) Alone(name string) (Plan, bool) {
	if p.Runner != "go test" {
		return p, false
	}
	p.Line = strings.Replace(p.Line, " -json -count=1", " -json -count=1 -run "+quote("^"+leafOf(name)+"$"), 1)
	return p, true
}

// Without is the plan that leaves tests of Go out by their names, wherever they
// stand: those that take their package with them.
func (p Plan) Without(names []string) (Plan, bool) {
	const asked = " -json -count=1"
	at := strings.Index(p.Line, asked) + len(asked)
	if p.Runner != "go test" || at < len(asked) || strings.Contains(p.Line, "-skip") {
		return p, false
	}
	var leaves []string
	for _, name := range names {
		if leaf := regexp.QuoteMeta(leafOf(name)); !slices.Contains(leaves, leaf) {
			leaves = append(leaves, leaf)
		}
	}
	skip := " -skip " + quote("^("+strings.Join(leaves, "|")+")$")
	p.Line = p.Line[:at] + skip + p.Line[at:]
	if p.Around.By != "" {
		p.Around.From, p.Around.To = p.Around.From+len(skip), p.Around.To+len(skip)
	}
	return p, true
}
