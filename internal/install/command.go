package install

import (
	"regexp"
	"strings"
	"sync"

	"checkrein/internal/guard"
	"checkrein/internal/harness/registry"
)

// Timeout is the entry's, in seconds. A hook that runs into it lets the call
// through; the lock alone may take 2 s.
const Timeout = 10

// Command is the entry's command: one form for every event and every version,
// because Codex trusts the text of an entry. "|| true" keeps a program that was
// deleted from blocking every tool call.
func Command(program, harness string) string {
	return guard.Quote(program) + tail(harness)
}

func tail(harness string) string { return " guard hook --harness " + harness + " || true" }

// Ours tells an entry of ours: this program's under any path, with any words
// after "guard hook", and the Python guard's, which must not run beside it.
func Ours(command string) bool {
	for _, h := range registry.Hooks() {
		if strings.HasSuffix(command, tail(h.Name)) { // a program of another name, from --binary
			return true
		}
	}
	return pythonGuard().MatchString(command) || ownGuard().MatchString(command)
}

var (
	pythonGuard = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`runaway-guard[^/\\'"]*[/\\]scripts[/\\]guard\.py`)
	})
	ownGuard = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[/\\'" ])checkrein(\.exe)?['"]? guard hook($|[ ;])`)
	})
)
