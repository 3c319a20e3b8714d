package command

import (
	"slices"
	"strings"
)

// Fetches reports whether the command would get something from another computer
// that no package manager keeps: curl and its like for an address that is not
// this computer's, git for another repository, gh. Text that can't be read as a
// shell command fetches if it has the words in it.
func Fetches(text string) bool {
	if !hasAny(text, fetchingWords()) {
		return false
	}
	found, ok := runs(text, fetches)
	return found || !ok && hasAny(text, []string{"curl ", "wget ", "git clone", "git fetch", "gh "})
}

func fetchingWords() []string {
	return []string{"curl", "wget", "http", "aria2c", "lynx", "git", "gh", "hub", "glab", "scp", "sftp"}
}

func fetches(c *call) bool {
	args := c.args()
	switch c.program() {
	case "curl", "wget", "wget2", "http", "https", "httpie", "xh", "aria2c", "lynx", "w3m", "links":
		return fetchesAddress(args)
	case "git":
		verb, rest := subcommand(args, gitValues)
		switch verb {
		case "clone", "fetch", "pull", "ls-remote":
			return true
		case "remote":
			return slices.Contains([]string{"add", "set-url", "update"}, first(rest))
		case "submodule":
			return first(rest) == "update" || first(rest) == "add"
		}
	case "gh", "hub", "glab":
		return len(args) > 0 && !slices.Contains([]string{"--version", "--help", "help", "version"}, args[0])
	case "scp", "sftp":
		return len(args) > 0
	}
	return false
}

// fetchesAddress looks at the addresses among arguments: those with a scheme, or,
// without one, what is left of options.
func fetchesAddress(args []string) bool {
	var full, plain []string
	for i, arg := range args {
		switch {
		case strings.Contains(arg, "://") && !strings.HasPrefix(arg, "-"):
			_, rest, _ := strings.Cut(arg, "://")
			full = append(full, rest)
		case arg == "--unix-socket" || strings.HasPrefix(arg, "--unix-socket="):
			return false
		case strings.HasPrefix(arg, "-") || i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.HasPrefix(args[i-1], "--") && len(args[i-1]) == 2 && takesValue(args[i-1][1]):
		case strings.ContainsAny(arg, ".:$"):
			plain = append(plain, arg)
		}
	}
	if len(full) > 0 {
		plain = full
	}
	return slices.ContainsFunc(plain, func(arg string) bool { return !localHost(arg) })
}

// takesValue knows options of one letter whose value is another word.
func takesValue(letter byte) bool { return strings.IndexByte("oOHdXAbceFmuTxwUP", letter) >= 0 }

// localHost judges an address behind its scheme. It is read by hand, because the
// hook links this package and must not link one of the network.
func localHost(address string) bool {
	host, _, _ := strings.Cut(address, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if inside, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inside, "]")
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	switch host = strings.ToLower(host); host {
	case "", "localhost", "::1", "::", "0.0.0.0":
		return true
	}
	numbers := strings.Trim(host, "0123456789.") == "" && strings.Count(host, ".") == 3
	return strings.HasSuffix(host, ".localhost") || numbers && strings.HasPrefix(host, "127.")
}
