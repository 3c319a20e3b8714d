package grade

import (
	"fmt"
	"net/url"
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
)

// Filled is the plan's line and variables with a path for the report. A variable
// that several programs read may name further reports, which begin with it.
func (p Plan) Filled(report string) (line string, env []string) {
	fill := strings.NewReplacer(Place, quote(report), Bare, report, Escaped, strings.ReplaceAll(url.PathEscape(report), "'", "%27"))
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
}

// Reports plans for reports that the user points at.
func Reports(testCmd, pattern string) Plan {
	return Plan{Runner: "reports of the command", Line: testCmd, Format: Auto, Globs: pattern, Origin: testCmd}
}

// Ask plans how a test command is asked for a report. For a command that it does
// not know it plans to look at what is printed, and for reports of runners whose
// variables reach through make, rake, tox and scripts.
func Ask(testCmd string, repo Repo) Plan {
	p, ok := ask(testCmd, "", repo, 0)
	if !ok {
		p = Plan{Runner: "what the command prints", Line: testCmd, Format: Auto, Stdout: true}
		p.Env, p.Globs = reach(testCmd, repo)
	}
	p.Origin = testCmd
	return p
}

// ask plans for a line. Only one of its commands may be a runner: reports of two
// would overwrite each other.
func ask(line, dir string, repo Repo, depth int) (plan Plan, ok bool) {
	commands, readable := chain(line)
	if !readable || depth > 4 {
		return plan, false
	}
	for _, c := range commands {
		words := plain(c)
		if len(words) == 2 && words[0].text == "cd" {
			dir = join(dir, words[1].text)
			continue
		}
		p, is := askOne(line, dir, words, repo, depth)
		if is && ok {
			return plan, false
		}
		if is {
			plan, ok = p, true
		}
	}
	return plan, ok
}

// join is a folder below another; "?" once it leads out of the copy.
func join(dir, sub string) string {
	sub = strings.TrimSuffix(strings.TrimPrefix(sub, "./"), "/")
	if strings.HasPrefix(sub, "/") || slices.Contains(strings.Split(sub, "/"), "..") || dir == "?" {
		return "?"
	}
	if sub == "." || sub == "" {
		return dir
	}
	return strings.TrimPrefix(dir+"/"+sub, "/")
}

// plain drops variables that are set for a command and programs that only start
// another one.
func plain(c command) command {
	for len(c) > 0 {
		switch name := c[0].text; {
		case strings.Contains(name, "=") && !strings.HasPrefix(name, "-") && !strings.Contains(name, "/"),
			name == "env", name == "time", name == "exec", name == "cross-env", name == "npx", name == "bunx":
			c = c[1:]
		case name == "c8", name == "nyc":
			c = c[1:]
			for len(c) > 0 && strings.HasPrefix(c[0].text, "-") {
				c = c[1:]
			}
		case len(c) > 2 && c[1].text == "run" && (name == "uv" || name == "poetry" || name == "pdm" || name == "pipenv" || name == "hatch"),
			len(c) > 2 && c[1].text == "exec" && (name == "pnpm" || name == "bundle" || name == "npm" && c[2].text != "--"):
			c = c[2:]
		default:
			return c
		}
	}
	return c
}

// askOne plans for one command of a line.
func askOne(line, dir string, c command, repo Repo, depth int) (Plan, bool) {
	if script, rest, ok := packageScript(c); ok {
		return askScript(line, dir, script, rest, c, repo, depth)
	}
	r, at, ok := runnerOf(c)
	if !ok {
		return Plan{}, false
	}
	for _, w := range c[at:] {
		if slices.Contains(r.refuses, strings.SplitN(w.text, "=", 2)[0]) { // it reports already, to where we don't know
			return Plan{}, false
		}
	}
	if dir != "" { // settings that lie above are relative to a root above
		r.flags, r.selects = strings.Replace(r.flags, " --rootdir=.", "", 1), ""
	}
	line, c = drop(line, c, at, r.drops)
	p := Plan{Runner: r.name, Format: r.format, Stdout: r.stdout, Globs: r.globs, Env: r.env}
	if r.atEnd {
		p.Line = insert(line, c[len(c)-1], r.flags)
		return p, true
	}
	p.Line = insert(line, c[at], r.flags)
	p.Around = selection(p.Line, r, c[at:], len(r.flags))
	return p, true
}

// drop takes flags and their values out of a line.
func drop(line string, c command, at int, flags []string) (string, command) {
	for i := len(c) - 1; i > at; i-- {
		name, _, joined := strings.Cut(c[i].text, "=")
		if !slices.Contains(flags, name) {
			continue
		}
		last := i
		if !joined && i+1 < len(c) {
			last = i + 1
		}
		from, to := c[i-1].to, c[last].to
		line = line[:from] + line[to:]
		rest := slices.Clone(c[last+1:])
		for k := range rest {
			rest[k].from, rest[k].to = rest[k].from-(to-from), rest[k].to-(to-from)
		}
		c = append(slices.Clone(c[:i]), rest...)
	}
	return line, c
}

// packageScript reads "npm test", "yarn run unit", "pnpm test".
func packageScript(c command) (script string, rest command, ok bool) {
	if len(c) < 2 {
		return "", nil, false
	}
	switch c[0].text {
	case "npm", "pnpm", "yarn", "bun":
	default:
		return "", nil, false
	}
	name, rest := c[1].text, c[2:]
	switch {
	case name == "run" && len(rest) > 0:
		name, rest = rest[0].text, rest[1:]
	case name == "t" || name == "test" && c[0].text != "bun":
		name = "test"
	case c[0].text != "yarn":
		return "", nil, false
	}
	return name, rest, !strings.HasPrefix(name, "-")
}

// askScript plans for a script of package.json: its own text runs in the place
// of the package manager, with the programs of node_modules at hand, so that
// flags go where the runner sees them and an agent's edit of the script changes
// nothing. What stands before and after the script in the line stays.
func askScript(line, dir, script string, rest, c command, repo Repo, depth int) (Plan, bool) {
	text := repo.Script(dir, script)
	if text == "" || len(rest) > 0 {
		return Plan{}, false
	}
	p, ok := ask(text, dir, repo, depth+1)
	if !ok {
		return Plan{}, false
	}
	before := `PATH="$PWD/node_modules/.bin:$PATH" && export PATH && `
	for _, hook := range []string{"pre", "post"} {
		if repo.Script(dir, hook+script) != "" && depth > 0 { // only the outermost one's are run
			return Plan{}, false
		}
	}
	if repo.Script(dir, "pre"+script) != "" {
		before = fmt.Sprintf("%s run pre%s && ", quote(c[0].text), quote(script)) + before
	}
	head, tail := line[:c[0].from], line[c[len(c)-1].to:]
	if depth == 0 && (head != "" || tail != "") {
		head, tail = head+"( ", " )"+tail
	}
	p.Line = head + before + p.Line + tail
	if p.Around.By != "" {
		p.Around.From += len(head) + len(before)
		p.Around.To += len(head) + len(before)
	}
	return p, true
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
