//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// trouble is what a record says of a run that may have gone wrong.
type trouble struct {
	Harness, Status, Error, Hint, CutShort string
	Charged                                bool
}

// troubles tells of every record.
func (h *home) troubles() []trouble {
	h.t.Helper()
	var all []trouble
	for _, r := range h.records() {
		all = append(all, trouble{r.Harness, r.Status, strings.ReplaceAll(r.Error, h.model.URL, "URL"), r.Hint, r.CutShort, r.Charged != 0})
	}
	return all
}

// summary is the part of a run's own numbers that the cases look at.
type summary struct {
	Run struct {
		Spent      float64           `json:"spent_usd"`
		Skipped    map[string]string `json:"skipped"`
		Missing    []string          `json:"not_installed"`
		AtCap      bool              `json:"stopped_at_cap"`
		NotStarted int               `json:"not_started"`
	} `json:"run"`
}

func (h *home) summary(run output) summary {
	h.t.Helper()
	var s summary
	h.decode(run.stdout, &s)
	return s
}

// TestDriveExpiredLogin: the first run of each agent fails at no cost, its others are
// skipped with the fix, and after that the same command runs them all.
func TestDriveExpiredLogin(t *testing.T) {
	t.Parallel()
	h := newDriveHome(t, modelserver.Script{Threads: []modelserver.Thread{{
		Name: "expired", Repeat: true, Turns: []modelserver.Turn{{Status: 401, Error: "invalid x-api-key"}},
	}}})
	h.env = append(h.env, "CLAUDE_CODE_MAX_RETRIES=1")
	h.mine()
	run := h.drive(allAgents("--max-usd", "50", "--jobs", "1", "--json", "--env", "CLAUDE_CODE_MAX_RETRIES")...)
	var want []trouble
	fixes := map[string]string{}
	for _, d := range drivenAgents() {
		want = append(want, trouble{Harness: d.name, Status: "error", Error: d.refused, Hint: d.login})
		fixes[d.name] = d.login
		if !strings.Contains(run.stderr, d.login) {
			t.Errorf("%q is not on the terminal: %s", d.login, run.stderr)
		}
	}
	if diff := cmp.Diff(want, h.troubles()); diff != "" {
		t.Errorf("the records: %s\n%s", diff, h.read(driveFolder+"/results.jsonl"))
	}
	s := h.summary(run)
	if diff := cmp.Diff(fixes, s.Run.Skipped); diff != "" || s.Run.Spent != 0 {
		t.Errorf("$%v spent, and skipped: %s", s.Run.Spent, diff)
	}
	h.private()

	h.model.Play(solveAndFail())
	h.drive("run", "--harness", "codex", "--max-usd", "50")
	want = append(
		want, trouble{Harness: "codex", Status: "failed", Charged: true}, trouble{Harness: "codex", Status: "passed", Charged: true},
	)
	if diff := cmp.Diff(want, h.troubles()); diff != "" {
		t.Errorf("the records after a login: %s", diff)
	}
}

// TestDriveMissingPrograms: an agent that is not on PATH is left out, one whose
// interpreter is missing gets the fix, and the third does its work.
func TestDriveMissingPrograms(t *testing.T) {
	t.Parallel()
	h := newDriveHome(t, solveAndFail())
	h.mine()
	h.env = append(h.env, "PATH="+h.farm(
		filepath.Join(kit.clis, "claude"), filepath.Join(kit.clis, "gemini"), // the first one needs no node
		h.find("git"), h.find("sh"), h.find("env"), h.find("cat"), h.find("uname"),
	))
	run := h.drive(allAgents("--max-usd", "50", "--json")...)
	if diff := cmp.Diff([]trouble{
		{Harness: "claude-code", Status: "failed", Charged: true},
		{Harness: "gemini-cli", Status: "error", Hint: "install Gemini CLI, or put gemini on PATH"},
		{Harness: "claude-code", Status: "passed", Charged: true},
	}, h.troubles(), cmpopts.IgnoreFields(trouble{}, "Error")); diff != "" {
		t.Errorf("the records: %s\n%s", diff, h.read(driveFolder+"/results.jsonl"))
	}
	if diff := cmp.Diff([]string{"codex"}, h.summary(run).Run.Missing); diff != "" {
		t.Errorf("left out: %s", diff)
	}
}

// farm is a folder below HOME with links to programs.
func (h *home) farm(programs ...string) string {
	h.t.Helper()
	h.write("bin/keep", "")
	for _, p := range programs {
		if err := os.Symlink(p, filepath.Join(h.dir, "bin", filepath.Base(p))); err != nil {
			h.t.Fatal(err)
		}
	}
	return filepath.Join(h.dir, "bin")
}
