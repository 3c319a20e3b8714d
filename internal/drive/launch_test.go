package drive_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/proc"
	"checkrein/internal/trial"
)

// Everything that a drive starts for a repository goes through its launcher, which
// learns whom it is for and what it needs; and what the launcher names is what
// runs.
func TestEverythingGoesThroughTheLauncher(t *testing.T) {
	b := newBench(t, 1, harness.GeminiCLI)
	b.standIn("gemini", `[ -n "$WALL" ] && echo fixed >src.txt; echo '{"type":"result","status":"success","stats":{"total_tokens":5,"models":{}}}'`)
	b.Doc.SetupCmd, b.Doc.TestCmd = `[ -n "$WALL" ]`, `[ -n "$WALL" ] && sh tests/check.sh`
	b.Unpriced = []string{harness.GeminiCLI}
	var mu sync.Mutex
	seen := map[string]int{}
	o := b.options()
	o.Launch = func(s proc.Start) (proc.Start, error) {
		mu.Lock()
		defer mu.Unlock()
		seen[described(t, s)]++
		s.Argv = append([]string{"/usr/bin/env", "WALL=1"}, s.Argv...)
		return s, nil
	}
	if _, err := drive.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, b.records()[0], trial.Passed)
	want := map[string]int{
		"agent gemini in nothing, needs []": 1, "agent gemini in a copy, needs [settings]": 1,
		"setup sh in a copy, needs []": 2, "tests sh in a copy, needs [bytecode]": 1, // setup before the agent and before the tests
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("what was started (-want +got):\n%s", diff)
	}
	b.clean()
}

func described(t *testing.T, s proc.Start) string {
	kind, in, needs := map[proc.Kind]string{proc.Agent: "agent", proc.Tests: "tests", proc.Setup: "setup"}[s.Kind], "nothing", []string{}
	if strings.Contains(s.Dir, "checkrein-copy-") {
		in = "a copy"
	}
	for _, need := range s.Needs {
		info, err := os.Stat(need)
		if err != nil || !info.IsDir() {
			t.Errorf("what the command needs: %v", err)
		}
		if need = filepath.Base(need); strings.Contains(need, "beside") {
			need = "bytecode"
		}
		needs = append(needs, need)
	}
	return kind + " " + filepath.Base(s.Argv[0]) + " in " + in + ", needs [" + strings.Join(needs, " ") + "]"
}

// Where no wall can be had, nothing runs without one.
func TestALauncherThatFails(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `echo ran >"$HOME/ran"; done_`)
	o := b.options()
	o.Launch = func(proc.Start) (proc.Start, error) { return proc.Start{}, errors.New("no wall here") }
	if _, err := drive.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	r := b.records()[0]
	if wantStatus(t, r, trial.Error); !strings.Contains(r.Error, "no wall here") || r.Charged != 0 || spyRan(b) {
		t.Errorf("error %q, %v charged, ran: %v", r.Error, r.Charged, spyRan(b))
	}
	b.clean()
}
