//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/e2e/modelserver"

	"github.com/google/go-cmp/cmp"
)

// allAgents are the flags of a run of all three.
func allAgents(more ...string) []string {
	return append([]string{
		"run", "--harness", "claude-code,codex,gemini-cli", "--allow-unpriced", "gemini-cli",
		"--model", "claude-code=" + claudeModel + ",gemini-cli=" + geminiModel,
	}, more...)
}

// TestDrive: each agent solves one mined task and fails the other, and every
// figure is the one that its model reported. The user's repository and guard
// see nothing of it.
func TestDrive(t *testing.T) {
	t.Parallel()
	control := modelserver.Thread{Name: "control", Says: "The control", Turns: []modelserver.Turn{claudeCode().step("true"), finished}}
	script := solveAndFail()
	script.Threads = append(script.Threads, control)
	h := newDriveHome(t, script)
	h.guard("install", "--harness", "claude-code", "--write")
	h.guard("install", "--harness", "codex", "--write")
	h.configureCodex(codexModel, h.trust(".codex/hooks.json"))
	repository, state := h.tree("project", driveFolder), h.tree("state", "")

	h.mine()
	h.estimated()
	run := h.drive(allAgents("--max-usd", "50", "--json")...)
	want := h.failedAndPassed()
	h.sameRecords(want)
	h.asked()
	h.private()
	h.reported(run, want)
	h.goesOn(len(want))

	if diff := cmp.Diff(repository, h.tree("project", driveFolder)); diff != "" {
		t.Errorf("the user's repository changed: %s", diff)
	}
	after := h.tree("state", "")
	if dropPaid(after) == 0 {
		t.Error("what the trials cost is not among what all sessions have paid")
	}
	if diff := cmp.Diff(state, after); diff != "" {
		t.Errorf("the user's guard was at work: %s", diff)
	}
	h.claude("The control").ok()
	if len(h.tree("state", "")) == len(state) {
		t.Error("the guard does nothing outside of trials, either: the check above proves nothing")
	}
}

// dropPaid takes the ledger of what all sessions have paid out of a state folder,
// and tells how many of its files there were.
func dropPaid(tree map[string]string) int {
	all := len(tree)
	maps.DeleteFunc(tree, func(name, _ string) bool {
		return strings.HasPrefix(filepath.Base(name), "ledger") || strings.HasSuffix(name, ".paid")
	})
	return all - len(tree)
}

// failedAndPassed are the records of all agents on both tasks, in plan order.
func (h *home) failedAndPassed() []record {
	h.t.Helper()
	var all []record
	for _, d := range drivenAgents() {
		all = append(all, h.scripted(d, d.fails(), "failed", d.wrongLines))
	}
	for _, d := range drivenAgents() {
		all = append(all, h.scripted(d, d.solves(), "passed", 2))
	}
	return all
}

// estimated checks what `drive estimate` says of both tasks and all agents.
func (h *home) estimated() {
	h.t.Helper()
	type row struct {
		Harness   string   `json:"harness"`
		Installed bool     `json:"installed"`
		Models    []string `json:"models"`
	}
	var got struct {
		Runs      int   `json:"runs"`
		Harnesses []row `json:"harnesses"`
	}
	want := got
	want.Runs = 6
	want.Harnesses = []row{
		{"claude-code", true, []string{"claude-sonnet-5-5", "claude-opus-5-5"}},
		{"codex", true, []string{codexModel, codexModel}},
		{"gemini-cli", true, []string{}},
	}
	h.decode(h.drive("estimate", "--json").stdout, &got)
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("the estimate: %s", diff)
	}
}

// asked checks that every agent was asked the same, and was shown neither the
// tests that decide nor the user's repository.
func (h *home) asked() {
	h.t.Helper()
	first := map[string]string{} // by task, what the first agent was asked
	for _, r := range h.model.Requests() {
		for _, secret := range []string{hiddenWord, h.project, "Signed-off-by"} {
			if bytes.Contains(r.Body, []byte(secret)) {
				h.t.Errorf("a request of %q contains %q", r.Thread, secret)
			}
		}
	}
	for _, d := range drivenAgents() {
		for _, thread := range []modelserver.Thread{d.fails(), d.solves()} {
			prompt := h.prompt(thread)
			if first[thread.Says] == "" {
				first[thread.Says] = prompt
			}
			if diff := cmp.Diff(first[thread.Says], prompt); diff != "" {
				h.t.Errorf("%s was asked something else: %s", d.name, diff)
			}
		}
	}
	if !strings.Contains(first[sumSubject], sumSubject+"\n\nIt took the second from the first.\n") ||
		!strings.Contains(first[sumSubject], testCommand) {
		h.t.Errorf("the prompt: %s", first[sumSubject])
	}
}

// prompt is what the first request of a thread says a person asked.
func (h *home) prompt(thread modelserver.Thread) string {
	h.t.Helper()
	var prompts []string
	for _, r := range h.model.Requests() {
		if r.Thread != thread.Name || r.Turn != 0 {
			continue
		}
		var body any
		if err := json.Unmarshal(r.Body, &body); err != nil {
			h.t.Fatal(err)
		}
		prompts = append(prompts, containing(body, thread.Says)...)
	}
	if len(prompts) != 1 {
		h.t.Fatalf("%s was asked %q", thread.Name, prompts)
	}
	return strings.TrimSpace(prompts[0])
}

// containing lists the strings in decoded JSON that contain a text.
func containing(value any, text string) []string {
	var all []string
	switch v := value.(type) {
	case string:
		if strings.Contains(v, text) {
			return []string{v}
		}
	case []any:
		for _, part := range v {
			all = append(all, containing(part, text)...)
		}
	case map[string]any:
		for _, part := range v {
			all = append(all, containing(part, text)...)
		}
	}
	return all
}
