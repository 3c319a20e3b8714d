package grade

import (
	"slices"
	"strings"
)

// lints tells whether a command only looks at how code is written. Such a command
// decides about no test: where it fails in front of them, none is run, and where it
// fails behind them, the exit code is one that no test explains.
func (a asker) lints(dir string, c command) bool {
	c = plain(c)
	if script, _, ok := packageScript(c); ok {
		return a.lintScript(dir, script)
	}
	return len(c) > 0 && linter(program(c[0].text))
}

func linter(name string) bool {
	switch name {
	case "eslint", "xo", "standard", "semistandard", "ts-standard", "standardx", "prettier", "biome", "tslint", "stylelint", "jshint", "oxlint", "markdownlint", "markdownlint-cli2":
		return true
	}
	return false
}

// lintScript tells the same of a script of package.json, by its name or its text.
func (a asker) lintScript(dir, script string) bool {
	named := strings.FieldsFunc(script, func(r rune) bool { return r == ':' || r == '-' })
	if slices.Contains(named, "lint") || slices.ContainsFunc(named, linter) {
		return true
	}
	if *a.left--; *a.left < 0 {
		return false
	}
	commands, readable := chain(a.repo.Script(dir, script))
	return readable && !slices.ContainsFunc(commands, func(c command) bool { return !a.lints(dir, c) })
}

// unlinted is a line with nothing done in a command's place, and the plan of what
// comes behind it in the line.
func unlinted(line string, c command, later Plan) (string, Plan) {
	const nothing = "true"
	from, to := c[0].from, c[len(c)-1].to
	line = line[:from] + nothing + line[to:]
	if later.Around.By != "" {
		shift := len(nothing) - (to - from)
		later.Around.From, later.Around.To = later.Around.From+shift, later.Around.To+shift
	}
	later.Line = line
	return line, later
}
