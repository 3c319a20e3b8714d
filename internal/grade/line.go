package grade

import (
	"slices"
	"strings"
)

// line plans for a line, last command first, so that the places of those before
// it stay. Several runners' reports are taken together when all are files.
func (a asker) line(line, dir string, depth int) (plan Plan, ok bool) {
	if *a.left--; depth > 4 || *a.left < 0 {
		return plan, false
	}
	line = unformatted(line)
	commands, readable := chain(line)
	if !readable {
		return plan, false
	}
	dirs := folders(commands, dir)
	for i := len(commands) - 1; i >= 0; i-- {
		p, is := a.command(line, dirs[i], commands[i], depth)
		switch {
		case !is && len(commands) > 1 && a.lints(dirs[i], commands[i]):
			line, plan = unlinted(line, commands[i], plan)
			continue
		case !is:
			continue
		case ok && (p.Stdout || plan.Stdout || p.Globs != "" || plan.Globs != "" || clash(p.Env, plan.Env)):
			return plan, false
		case ok:
			p = p.with(plan)
			p.Line = onward(p.Line, commands[i], len(p.Line)-len(line))
		}
		plan, ok, line = p, true, p.Line
	}
	return plan, ok
}

// onward lets the commands behind a runner's run when tests of that one fail: a
// suite in which one fails anyway would tell of none behind it. The line still ends
// with an error then. Longer is how much the command's text has grown.
func onward(line string, c command, longer int) string {
	from, to := c[0].from, c[len(c)-1].to+longer
	return line[:from] + "{ " + line[from:to] + " || trap 'exit 1' EXIT; }" + line[to:]
}

// clash tells whether both set a variable, each to a report of its own.
func clash(a, b []string) bool {
	for _, entry := range a {
		name, _, _ := strings.Cut(entry, "=")
		if slices.ContainsFunc(b, func(other string) bool { return other != entry && strings.HasPrefix(other, name+"=") }) {
			return true
		}
	}
	return false
}

// with is the plan of a line for whose later commands there is one already.
func (p Plan) with(later Plan) Plan {
	p.Runner += ", " + later.Runner
	p.Env = append(slices.Clone(p.Env), later.Env...)
	p.Format, p.Around, p.several = Auto, Cut{}, true
	return p
}

// folders are where the commands of a line run.
func folders(commands []command, dir string) []string {
	dirs := make([]string, len(commands))
	for i, c := range commands {
		dirs[i] = dir
		if words := plain(c); changesFolder(words) {
			dir = join(dir, words[1].text)
		}
	}
	return dirs
}

func changesFolder(c command) bool { return len(c) == 2 && c[0].text == "cd" }

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
