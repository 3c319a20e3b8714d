package command

import (
	"path"
	"slices"
	"strings"
)

// files finds a command that writes, moves or removes a file of ours, or takes
// our hook out of an agent's settings.
func (l *loosening) files(c *call) string {
	for _, file := range written(c) {
		full := l.full(file)
		switch {
		case l.guarded.path(full), slices.Contains(removed(c), file) && l.guarded.above(full):
			return file
		case l.guarded.isSettings(full) && l.unhooks(c):
			return file
		}
	}
	return ""
}

// unhooks: a command that writes an agent's settings, in a text that switches
// hooks off, or an editor that is told of our hook.
func (l *loosening) unhooks(c *call) bool {
	if hasAny(l.text, append(l.guarded.switches(), noHooks, variables)) {
		return true
	}
	edit := script(c.words)
	return slices.ContainsFunc(c.args(), inPlace) &&
		(strings.Contains(edit, ourHook) || l.guarded.Program != "" && strings.Contains(edit, l.guarded.Program))
}

// written are the files that a command changes, as far as its words tell.
func written(c *call) []string {
	files := texts(c.targets)
	args := c.args()
	switch c.program() {
	case "cp", "install", "rsync", "scp", "copy-item":
		return append(files, destination(args)...)
	case "dd":
		for _, arg := range args {
			if file, ok := strings.CutPrefix(arg, "of="); ok {
				files = append(files, file)
			}
		}
		return files
	}
	if changes(c.program(), args) {
		files = append(files, args...)
	}
	return files
}

// destination is where a copy goes: the last argument, or the value of -t.
func destination(args []string) (files []string) {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--target-directory="); ok {
			files = append(files, value)
		}
		if i == len(args)-1 || i > 0 && (args[i-1] == "-t" || strings.EqualFold(args[i-1], "-destination")) {
			files = append(files, arg)
		}
	}
	return files
}

// changes reports whether a program changes all the files that it names.
func changes(program string, args []string) bool {
	switch program {
	case "rm", "mv", "tee", "truncate", "ln", "chmod", "chown", "chgrp", "chattr", "shred", "unlink", "touch", "rmdir",
		"mkfifo", "setfacl", "mount", "ed", "ex", "vi", "vim", "nano", "patch", "srm", "trash", "trash-put", "sponge",
		"remove-item", "move-item", "rename-item", "set-content", "add-content", "clear-content", "out-file", "new-item",
		"del", "erase":
		return true
	case "sed", "gsed", "perl", "ruby", "yq":
		return slices.ContainsFunc(args, inPlace)
	case "git":
		verb, _ := subcommand(args, gitValues)
		return verb == "clean" || verb == "rm" || verb == "mv"
	}
	return false
}

// removed are the files that a command takes away. A file that is moved to a
// folder takes nothing away from there.
func removed(c *call) []string {
	args := c.args()
	switch c.program() {
	case "rm", "trash", "trash-put", "srm", "remove-item":
		return args
	case "rsync":
		if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--del") }) {
			return destination(args)
		}
	case "mv", "move-item", "rename-item":
		if slices.Contains(args, "-t") {
			return args
		}
		return args[:max(0, len(args)-1)]
	}
	return nil
}

// inPlace: -i, -i.bak, -ni, -pi, --in-place, --inplace.
func inPlace(arg string) bool {
	if strings.HasPrefix(arg, "--in-place") || arg == "--inplace" {
		return true
	}
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	letters := strings.IndexFunc(arg[1:], func(r rune) bool { return r|0x20 < 'a' || 'z' < r|0x20 })
	if letters < 0 {
		letters = len(arg) - 1
	}
	return strings.Contains(arg[1:1+letters], "i")
}

// move follows the working folder.
func (l *loosening) move(c *call) {
	if name := c.program(); name == "cd" || name == "pushd" || name == "set-location" {
		l.dir = l.full(first(c.args()))
	}
}

// full is a path from the working folder on, as far as that is known.
func (l *loosening) full(file string) string {
	file = slashes(file)
	if file == "" || strings.IndexByte("/~$", file[0]) >= 0 || len(file) > 1 && file[1] == ':' || l.dir == "" {
		return file
	}
	if file[0] == '-' { // an option
		return file
	}
	return path.Join(slashes(l.dir), file)
}
