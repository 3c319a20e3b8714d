package caller

import (
	"path"
	"slices"
	"strings"

	"checkrein/internal/harness"
)

// agentOf is the name of the agent that a process is; "" for none. Scripts that npm
// links to agents have the names of their programs.
func agentOf(known []harness.Traits, p Process) string {
	for _, file := range p.files() {
		if i := slices.IndexFunc(known, func(t harness.Traits) bool { return is(t, file) }); i >= 0 {
			return known[i].Label
		}
	}
	return ""
}

func is(t harness.Traits, file string) bool {
	lies := func(part string) bool { return strings.Contains(file, part) }
	return t.Label != "" && (slices.Contains(t.Programs, path.Base(file)) || slices.ContainsFunc(t.Packages, lies))
}

// files are what a process may be known by: its program, the name it was started
// by, and for a runtime the script that it runs.
func (p Process) files() (all []string) {
	if p.Exe != "" {
		all = append(all, clean(p.Exe))
	}
	if len(p.Args) == 0 {
		return all
	}
	all = append(all, clean(p.Args[0]))
	if slices.ContainsFunc(all, isRuntime) {
		for _, arg := range p.Args[1:] {
			if !strings.HasPrefix(arg, "-") {
				return append(all, clean(arg))
			}
		}
	}
	return all
}

// name is what to call a process.
func (p Process) name() string {
	files := p.files()
	return path.Base(files[len(files)-1])
}

// clean: "claude (deleted)" is a program that was updated while it runs, and
// login shells are started as "-bash".
func clean(file string) string {
	file = strings.TrimSuffix(strings.ReplaceAll(file, `\`, "/"), " (deleted)")
	return strings.TrimSuffix(strings.TrimPrefix(file, "-"), ".exe")
}

func isRuntime(file string) bool {
	switch path.Base(file) {
	case "node", "nodejs", "bun", "deno":
		return true
	}
	return false
}
