package codex

import (
	"strings"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
)

// Headless is how the test drive runs Codex: commands may write inside the
// working folder only and have no network, and no session is saved. Codex has
// no spend limit of its own and reports its tokens when it ends, not its
// model or a cost, so the model must be known beforehand and the time limit is
// the only bound while it runs.
func Headless() harness.Headless {
	return harness.Headless{
		Name: harness.Codex, Label: harness.Label(harness.Codex), Program: "codex",
		Env:    []string{"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"},
		NotEnv: []string{"CODEX_SANDBOX*", "CODEX_THREAD_ID"},
		Own: harness.Own{
			Dir: ".codex", Var: "CODEX_HOME", Login: []string{"auth.json"},
			Settings: []string{"config.toml", "AGENTS.md", "AGENTS.override.md", "prompts", "rules", "skills"},
		},
		Settings: []string{ProjectFolder + "/hooks.json", ProjectFolder + "/config.toml"},
		Config:   config,
		Command:  command,
		Uses:     uses,
		Read: func(r harness.Reading) harness.Output {
			return &output{reading: r, parts: harness.CommandParts(r.TestCmd)}
		},
	}
}

func command(j harness.Job) []string {
	argv := []string{"codex", "exec", "--json", "--sandbox", "workspace-write", "--ephemeral"}
	if j.Model != "" {
		argv = append(argv, "--model", j.Model)
	}
	return append(argv, j.Prompt)
}

// output reads the events of codex exec --json.
type output struct {
	reading  harness.Reading
	parts    []string
	out      harness.Outcome
	runs     int
	failures int
}

type event struct {
	Usage struct {
		Input  int64 `json:"input_tokens"`
		Cached int64 `json:"cached_input_tokens"`
		Write  int64 `json:"cache_write_input_tokens"`
		Output int64 `json:"output_tokens"`
		Reason int64 `json:"reasoning_output_tokens"`
	} `json:"usage"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
	Message string `json:"message"`
	Item    struct {
		Type    string `json:"type"`
		Status  string `json:"status"`
		Command string `json:"command"`
		Exit    *int   `json:"exit_code"`
	} `json:"item"`
}

func (o *output) Line(line []byte) {
	if len(line) == 0 || line[0] != '{' {
		return
	}
	var kind struct {
		Type string `json:"type"`
	}
	var e event
	if json.Unmarshal(line, &kind) != nil {
		return
	}
	// What could be read of an event that is not as expected is used.
	_ = json.Unmarshal(line, &e)
	switch kind.Type {
	case "turn.completed":
		o.usage(e)
		o.out.Error = "" // an error before this was survived, such as a reconnect
	case "turn.failed":
		o.out.Error = first(e.Error.Message, "turn failed")
	case "error":
		o.out.Error = first(e.Message, "error")
	case "item.completed":
		o.item(e)
	}
}

// usage splits the input: cached reads and cache writes are both part of
// input_tokens, and reasoning is part of the output.
func (o *output) usage(e event) {
	u := e.Usage
	if o.out.Usage == nil {
		o.out.Usage = new(harness.Usage)
	}
	*o.out.Usage = o.out.Usage.Add(harness.Usage{
		Input: max(u.Input-u.Cached-u.Write, 0), CacheRead: u.Cached, CacheWrite: u.Write,
		Output: u.Output, Reasoning: u.Reason,
	}.Sane())
}

// item counts what the agent did. Items of type error are Codex's own warnings
// about its settings: they come before any request and prove no model work.
func (o *output) item(e event) {
	if e.Item.Type == "error" {
		return
	}
	o.out.Worked = true
	if e.Item.Type != "command_execution" {
		return
	}
	if e.Item.Status == "declined" {
		o.out.Denials++
	}
	if !o.isTest(e.Item.Command) {
		return
	}
	o.runs++
	if e.Item.Status == "failed" || (e.Item.Exit != nil && *e.Item.Exit != 0) {
		o.failures++
	}
}

func (o *output) isTest(command string) bool {
	for _, p := range o.parts {
		if strings.Contains(command, p) {
			return true
		}
	}
	return false
}

func (o *output) Outcome() harness.Outcome {
	out := o.out
	out.Model, out.TestRuns, out.TestsBad = o.reading.Model, new(o.runs), new(o.failures)
	if out.Usage == nil || o.reading.Model == "" {
		return out
	}
	if usd, ok := o.reading.PriceSum(*out.Usage, o.reading.Model); ok {
		out.Cost, out.Source = &usd, harness.FromTokens
	}
	return out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
