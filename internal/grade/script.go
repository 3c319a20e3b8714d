package grade

import (
	"fmt"
	"slices"
	"strings"
)

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

// script plans for a script of package.json: its own text runs in the place
// of the package manager, with the programs of node_modules at hand, so that
// flags go where the runner sees them and an agent's edit of the script changes
// nothing. What stands before and after the script in the line stays.
func (a asker) script(line, dir, script string, rest, c command, depth int) (Plan, bool) {
	text := a.repo.Script(dir, script)
	if text == "" || len(rest) > 0 {
		return Plan{}, false
	}
	p, ok := a.line(text, dir, depth+1)
	before, hooked := a.before(dir, script, c, depth)
	if !ok || !hooked {
		return Plan{}, false
	}
	head, tail := line[:c[0].from], line[c[len(c)-1].to:]
	if (head != "" || tail != "") && (depth == 0 || leaves(text, c)) {
		head, tail = head+"( ", " )"+tail
	}
	p.Line = head + before + p.Line + tail
	if p.Around.By != "" {
		p.Around.From += len(head) + len(before)
		p.Around.To += len(head) + len(before)
	}
	return p, true
}

// before is what comes before a script's own text: its pre script, the variables
// that are set for it, and the folder of programs. False: its hooks can't be run.
func (a asker) before(dir, script string, c command, depth int) (text string, ok bool) {
	text = `PATH="` + programs(dir) + `:$PATH" && export PATH && `
	for _, hook := range []string{"pre", "post"} {
		if a.repo.Script(dir, hook+script) != "" && depth > 0 && !a.lintScript(dir, hook+script) { // only the outermost one's are run
			return "", false
		}
	}
	if a.repo.Script(dir, "pre"+script) != "" && !a.lintScript(dir, "pre"+script) {
		text = fmt.Sprintf("%s run pre%s && ", quote(plain(c)[0].text), quote(script)) + text
	}
	return settings(c) + text, true
}

// programs are the folders of packages' programs that a package manager finds from a
// folder: workspaces have theirs at the top.
func programs(dir string) string {
	const bin = "node_modules/.bin"
	text, up := "$PWD/"+bin, "$PWD/"
	if dir == "" || dir == "?" {
		return text
	}
	for range strings.Count(dir, "/") + 1 {
		up += "../"
		text += ":" + up + bin
	}
	return text
}

// settings are the variables that a command sets, for all that comes in its place.
func settings(c command) (text string) {
	for _, w := range c[:len(c)-len(plain(c))] {
		if name, value, set := strings.Cut(w.text, "="); set && !strings.HasPrefix(name, "-") {
			text += "export " + name + "=" + quote(value) + " && "
		}
	}
	return text
}

// leaves tells whether a script's text would leave a folder or variables behind for
// what follows it in its line.
func leaves(text string, c command) bool {
	inner, _ := chain(text)
	return settings(c) != "" || slices.ContainsFunc(inner, changesFolder)
}
