package command

import (
	"slices"
	"strings"
)

// waitingWords: without one of them a command doesn't wait.
func waitingWords() []string {
	return []string{"sleep", "Sleep", "wait", "Wait", "watch", "tail", "timeout", "rollout"}
}

// waits reports whether a command's own purpose is that time passes.
func waits(c *call) bool {
	args := c.args()
	switch name := c.program(); name {
	case "sleep", "usleep", "gsleep", "start-sleep", "wait-process", "wait-job", "wait-event":
		return !slices.Contains(args, "--help") && !slices.Contains(args, "--version")
	case "wait", "inotifywait", "fswatch", "wait-on", "wait4x", "wait-for-it", "wait-for-it.sh", "watch":
		return !slices.Contains(args, "--help")
	case "tail":
		return slices.ContainsFunc(args, follows)
	case "gh":
		return hasPair(args, "run", "watch") || slices.Contains(args, "--watch")
	case "kubectl", "oc":
		return hasPair(args, "rollout", "status") || first(args) == "wait"
	case "docker", "podman", "aws", "npx", "bunx":
		return slices.Contains(args, "wait") || first(args) == "wait-on"
	case "timeout": // of Windows: timeout /t 5
		return slices.ContainsFunc(args, func(arg string) bool { return strings.EqualFold(arg, "/t") })
	}
	return false
}

// follows: tail that goes on as its file grows.
func follows(arg string) bool {
	return arg == "-f" || arg == "-F" || arg == "--retry" ||
		strings.HasPrefix(arg, "--follow") || strings.HasPrefix(arg, "--pid")
}

func first(args []string) string {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return arg
		}
	}
	return ""
}

func hasPair(args []string, a, b string) bool {
	i := slices.Index(args, a)
	return i >= 0 && i+1 < len(args) && args[i+1] == b
}
