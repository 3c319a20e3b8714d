package command

import (
	"slices"
	"strings"
)

// Reads reports whether the command only looks at things: every program in it is
// known to change nothing, and no output goes to a file. What can't be read as
// a shell command, or isn't known, may change something.
func Reads(text string) bool {
	any := false
	changes, ok := runs(text, func(c *call) bool {
		any = true
		return !reads(c)
	})
	return ok && any && !changes
}

func reads(c *call) bool {
	if slices.ContainsFunc(c.targets, func(w word) bool { return w.text != "/dev/null" && w.text != "/dev/stderr" }) {
		return false
	}
	switch args := c.args(); c.program() {
	case "cat", "ls", "ll", "grep", "egrep", "fgrep", "rg", "ag", "ack", "head", "tail", "less", "more", "wc", "uniq",
		"cut", "tr", "jq", "diff", "cmp", "comm", "file", "stat", "du", "df", "pwd", "echo", "printf", "which", "type",
		"whereis", "date", "uname", "hostname", "whoami", "id", "ps", "pgrep", "top", "free", "uptime", "env", "printenv",
		"test", "[", "true", "false", ":", "cd", "pushd", "popd", "basename", "dirname", "realpath", "readlink", "tree", "fd",
		"nl", "column", "xxd", "hexdump", "od", "strings", "md5sum", "sha1sum", "sha256sum", "cksum", "seq", "expr", "man",
		"lsof", "ss", "netstat", "sleep", "wait", "nproc", "locale", "tac", "rev", "fold", "fmt", "paste", "join", "awk":
		return true
	case "", "for", "select", "read", "set", "export", "local", "xargs", "timeout", "time", "nice", "command", "eval":
		return true
	case "sort":
		return !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-o") || strings.HasPrefix(arg, "--output") })
	case "sed", "gsed", "yq":
		return !slices.ContainsFunc(args, inPlace)
	case "find", "gfind":
		return !slices.ContainsFunc(args, func(arg string) bool { return arg == "-fprint" || arg == "-fprintf" || arg == "-fls" })
	case "git":
		return gitReads(args)
	case "gh":
		return ghReads(args)
	case "go":
		verb := first(args)
		return verb == "list" || verb == "doc" || verb == "version" || verb == "env" && !slices.Contains(args, "-w") || verb == "vet"
	case "docker", "podman", "kubectl":
		verb := first(args)
		return slices.Contains([]string{"ps", "logs", "images", "inspect", "get", "describe", "top", "version", "wait"}, verb)
	}
	return isShell(c.program()) && c.shellScript(c.rest()) != ""
}

func gitReads(args []string) bool {
	verb, rest := subcommand(args, gitValues)
	switch verb {
	case "status", "log", "diff", "show", "blame", "grep", "ls-files", "ls-tree", "rev-parse", "rev-list", "describe", "cat-file",
		"shortlog", "reflog", "merge-base", "name-rev", "for-each-ref", "show-ref", "cherry", "range-diff", "count-objects":
		return !slices.ContainsFunc(rest, func(arg string) bool { return arg == "expire" || arg == "delete" })
	case "branch", "tag", "remote", "stash", "worktree", "config":
		if len(rest) == 0 {
			return verb != "stash"
		}
		return slices.Contains([]string{"list", "-v", "-vv", "-a", "--list", "-l", "show", "--get", "--show-current"}, rest[0])
	}
	return false
}

func ghReads(args []string) bool {
	if len(args) < 2 {
		return false
	}
	return slices.Contains([]string{"view", "list", "checks", "status", "diff", "watch"}, args[1])
}
