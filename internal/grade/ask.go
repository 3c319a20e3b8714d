package grade

import (
	"fmt"
	"slices"
	"strings"
)

// asker plans for the runners of one command line.
type asker struct {
	repo    Repo
	count   map[string]int // runners by the names of their reports
	several bool           // there is more than one: each report has its runner's name
	left    *int           // lines that may be read, since scripts may name each other again and again
}

// ask plans for a whole command.
func ask(testCmd string, repo Repo) (Plan, bool) {
	const most = 100
	left := most
	a := asker{repo: repo, count: map[string]int{}, left: &left}
	p, ok := a.line(testCmd, "", 0)
	if ok && p.several {
		left, a.several = most, true
		p, ok = a.line(testCmd, "", 0)
	}
	return p, ok
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

// command plans for one command of a line.
func (a asker) command(line, dir string, whole command, depth int) (Plan, bool) {
	c := plain(whole)
	if script, rest, ok := packageScript(c); ok {
		return a.script(line, dir, script, rest, whole, depth)
	}
	r, at, ok := runnerOf(c)
	if !ok {
		r, at, ok = a.unittestScript(dir, c)
	}
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
	r = a.placed(a.covering(r, dir, c[at:]))
	line, c = unbounded(line, whole, c)
	line, c = goOn(line, c, at, r.name)
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

// placed counts a runner, and gives its report a name where there are several. They
// are met last first.
func (a asker) placed(r runner) runner {
	name, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(r.name, ":", " ")), " ")
	if !a.several {
		a.count[name]++
		return r
	}
	nth := a.count[name]
	if a.count[name]--; nth > 1 {
		name += fmt.Sprint(nth)
	}
	named := strings.NewReplacer(Place, Place+"."+name, Bare, Bare+"."+name)
	r.flags, r.selects = named.Replace(r.flags), ""
	for i, entry := range r.env {
		r.env = slices.Clone(r.env)
		r.env[i] = named.Replace(entry)
	}
	return r
}
