package grade

import (
	"fmt"
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
	repo := a.repo
	text := repo.Script(dir, script)
	if text == "" || len(rest) > 0 {
		return Plan{}, false
	}
	p, ok := a.line(text, dir, depth+1)
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
