package command

import (
	"slices"
	"strings"
)

// gitValues are the options before git's verb that take a value of their own.
const gitValues = " -C -c --git-dir --work-tree --namespace --exec-path --config-env "

// commits reports whether a command records a change for good.
func commits(c *call) bool {
	verb, rest := "", []string(nil)
	switch c.program() {
	case "git":
		verb, rest = subcommand(c.args(), gitValues)
	case "jj", "hg", "sl", "svn":
		verb, rest = subcommand(c.args(), " -R --repository --config --cwd --at-op --config-file ")
	}
	if verb == "ci" {
		verb = "commit"
	}
	return verb == "commit" && !slices.ContainsFunc(rest, onlyShows)
}

func onlyShows(arg string) bool { return arg == "--dry-run" || arg == "--help" || arg == "-h" }

// subcommand is the first argument that is neither an option nor its value.
func subcommand(args []string, values string) (verb string, rest []string) {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			return args[i], args[i+1:]
		}
		if strings.Contains(values, " "+args[i]+" ") {
			i++
		}
	}
	return "", nil
}
