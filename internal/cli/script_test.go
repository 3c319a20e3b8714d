package cli_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"checkrein/internal/caller"
	"checkrein/internal/cli"
	"checkrein/internal/seal"
)

// TestMain makes this test binary the checkrein that scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ordinary": ordinary, "checkrein": func() {
		os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Env{
			Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			Getenv: os.Getenv, Environ: os.Environ, Now: time.Now, Arg0: os.Args[0],
			Processes: processes,
		}))
	}, "opencode-db": opencodeDatabase})
}

// processes are none: the tests may run in a session of an agent. A script that
// sets AGENT_ABOVE has Claude Code above it.
func processes() caller.Processes {
	return func(pid int) (caller.Process, bool) {
		if os.Getenv("AGENT_ABOVE") == "" || pid == 7 {
			return caller.Process{PID: 7, Args: []string{"claude"}, Exe: "/usr/bin/claude"}, pid == 7
		}
		return caller.Process{PID: pid, Parent: 7}, true
	}
}

// TestScripts plays testdata/script: what the command line promises, one script
// a promise. Each has a home folder of its own and no agent on PATH.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := e.WorkDir + "/home"
			e.Setenv("HOME", home)
			recorded, err := filepath.Abs("../harness")
			if err != nil {
				return err
			}
			e.Setenv("RECORDED", recorded) // sessions of the real CLIs, in the testdata below it
			e.Setenv("NO_COLOR", "1")
			e.Setenv("GORACE", os.Getenv("GORACE"))
			if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
				e.Setenv("BUILT", strings.TrimSpace(string(cache))) // what Go's own packages are compiled to
			}
			return os.MkdirAll(home, 0o755)
		},
		Condition: func(name string) (bool, error) {
			if name != "walls" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return seal.Check(t.Context()).Sealed, nil
		},
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("CHECKREIN_UPDATE") != "", // write golden parts anew
	})
}
