//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"

	"checkrein/internal/caller"
	"checkrein/internal/caller/tree"
	"checkrein/internal/harness/registry"
)

// orphan runs a command whose parents have ended, and ends as it does. The pause is
// for its parent to end first.
const orphan = `dir=$1; shift
( (sleep 0.2; "$@" </dev/null; echo $? >"$dir/code"; mv "$dir/code" "$dir/ended") & )
while [ ! -e "$dir/ended" ]; do sleep 0.1; done
exit "$(cat "$dir/ended")"
`

// adopted names the variable that marks the tests of an orphan.
const adopted = "CHECKREIN_E2E_ORPHAN"

// agentAbove tells whether an agent runs the tests. Programs under test would see it
// above them, and refuse what only a user may do. (Its variables don't reach them.)
func agentAbove() bool {
	_, above := caller.Agent(registry.Traits(), func(string) string { return "" }, tree.Process, os.Getpid())
	return above && os.Getenv(adopted) == ""
}

// orphaned runs the tests once more, with nothing above them, and returns their
// exit code.
func orphaned() int {
	dir, err := os.MkdirTemp("", "orphan")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	c := exec.Command("sh", append([]string{"-c", orphan, "sh", dir}, os.Args...)...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), adopted+"=1"), os.Stdout, os.Stderr
	if err := c.Run(); c.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return c.ProcessState.ExitCode()
}
