//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// tokens are a record's, in the kinds that have prices.
type tokens struct {
	Input      int64 `json:"input"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Output     int64 `json:"output"`
}

// record is the part of a line in results.jsonl that the cases look at.
type record struct {
	Subject  string   `json:"subject"`
	Harness  string   `json:"harness"`
	Version  string   `json:"version"`
	Status   string   `json:"status"`
	Exit     *int     `json:"exit_code"`
	Error    string   `json:"error"`
	Hint     string   `json:"hint"`
	CutShort string   `json:"cut_short"`
	Cost     *float64 `json:"cost_usd"`
	Source   string   `json:"cost_source"`
	Charged  float64  `json:"charged_usd"`
	Tokens   *tokens  `json:"tokens"`
	Model    string   `json:"model"`
	Turns    *int     `json:"turns"`
	Denials  int      `json:"denials"`
	TestRuns *int     `json:"test_runs"`
	Lines    *int     `json:"lines_changed"`
	Files    *int     `json:"files_touched"`
}

// records are all lines of results.jsonl.
func (h *home) records() []record {
	h.t.Helper()
	var all []record
	for line := range strings.Lines(h.read(driveFolder + "/results.jsonl")) {
		var r record
		h.decode(line, &r)
		all = append(all, r)
	}
	return all
}

// sameRecords compares all records with what the models said. Sums of dollars in
// another order differ in the last bits.
func (h *home) sameRecords(want []record) {
	h.t.Helper()
	if diff := cmp.Diff(want, h.records(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		h.t.Errorf("the records (- want, + got): %s", diff)
	}
}

// scripted is the record of a run in which the agent heard a whole thread, and
// changed so many lines.
func (h *home) scripted(d driven, thread modelserver.Thread, status string, lines int) record {
	h.t.Helper()
	n := len(thread.Turns)
	if heard := h.model.Served(thread.Name); heard != n {
		h.t.Errorf("%s: %d answers were asked for, %d are in the script", thread.Name, heard, n)
	}
	r := record{
		Subject: thread.Says, Harness: d.name, Version: d.version, Status: status, Exit: new(int), Model: d.model,
		Source: d.source, Lines: &lines, Files: new(min(lines, 1)), Tokens: d.total(n), Denials: d.refusals(thread),
	}
	if d.counts {
		r.TestRuns = new(1)
	} else {
		r.Turns = &n
	}
	if d.source != "unpriced" {
		u := d.usage
		u.Output = d.total(1).Output
		r.Charged = price(h.t, d.model, u) * float64(n)
		r.Cost = &r.Charged
	}
	return r
}

// total is the tokens of n answers. Reasoning is part of OpenAI's output and
// beside Google's.
func (d driven) total(n int) *tokens {
	u, times := d.usage, int64(n)
	output := u.Output
	if d.name == "gemini-cli" {
		output += u.Reasoning
	}
	return &tokens{times * u.Input, times * u.CacheRead, times * (u.CacheWrite5m + u.CacheWrite1h), times * output}
}

// refusals counts the calls in a thread that must have been denied.
func (d driven) refusals(thread modelserver.Thread) int {
	n := 0
	for _, t := range thread.Turns {
		for _, call := range t.Tools {
			if cmp.Equal(call, d.shell(forbidden)) {
				n++
			}
		}
	}
	return n
}

// private checks that nobody but the user may read what agents printed, and
// that no copy is left.
func (h *home) private() {
	h.t.Helper()
	logs, err := filepath.Glob(filepath.Join(h.dir, driveFolder, "logs", "*"))
	if err != nil || len(logs) == 0 {
		h.t.Fatalf("there are no logs: %v", err)
	}
	for _, log := range logs {
		info, err := os.Stat(log)
		if err != nil {
			h.t.Fatal(err)
		}
		if info.Mode() != 0o600 {
			h.t.Errorf("%s has mode %v", filepath.Base(log), info.Mode())
		}
	}
	for _, pattern := range []string{"harness-test-drive-*", "checkrein-*"} {
		if left, _ := filepath.Glob(filepath.Join(h.dir, "tmp", pattern)); len(left) > 0 {
			h.t.Errorf("left behind: %q", left)
		}
	}
}
