//go:build unix

package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/drive"
	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/install"
	"checkrein/internal/status"
	"checkrein/internal/trial"
)

// TestSkillTellsThePrompt word for word: users judge the comparison by it.
func TestSkillTellsThePrompt(t *testing.T) {
	want := trial.Prompt("<commit subject>", "<commit body>", "<test command>")
	if text := pages(t)["harness-test-drive/references/method.md"]; !strings.Contains(text, "```text\n"+want+"```\n") {
		t.Errorf("method.md does not show this prompt:\n%s", want)
	}
}

// TestSkillTellsTheCommands: what harness-commands.md shows is what a run starts.
func TestSkillTellsTheCommands(t *testing.T) {
	text := strings.Join(strings.Fields(pages(t)["harness-test-drive/references/harness-commands.md"]), " ")
	for _, name := range drive.Names() {
		h, _ := drive.Known(name)
		argv := h.Command(harness.Job{Prompt: "<prompt>", TestCmd: "<test command>", Budget: 12.34, Model: "<id>", Dir: "/d"})
		for _, word := range argv {
			switch {
			case word == "12.34":
				word = "<set aside>"
			case strings.HasPrefix(word, "/d/"):
				word = "<file>"
			}
			if !strings.Contains(text, word) {
				t.Errorf("%s: the page does not have %q", name, word)
			}
		}
		if shown := strings.Join(argv[:2], " "); !strings.Contains(text, "```text "+shown+" ") {
			t.Errorf("the page has no command that starts %q", shown)
		}
	}
}

// TestSkillTellsTheKeys: every key of the reports in JSON is named.
func TestSkillTellsTheKeys(t *testing.T) {
	text := pages(t)["runaway-guard/SKILL.md"]
	for name, report := range map[string]any{
		"install": install.Report{}, "uninstall": install.RemovalReport{}, "status": status.Summary{Headline: "x"},
	} {
		data, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		var keys map[string]jsontext.Value
		if err := json.Unmarshal(data, &keys); err != nil || len(keys) < 5 {
			t.Fatalf("%s: %v %v", name, keys, err)
		}
		for key := range keys {
			if !strings.Contains(text, "`"+key+"`") {
				t.Errorf("%s: the skill does not name the key %s", name, key)
			}
		}
	}
}

// TestSkillTellsTheSettings with their variables and defaults.
func TestSkillTellsTheSettings(t *testing.T) {
	text := pages(t)["runaway-guard/references/how-it-decides.md"]
	limits := guard.Defaults()
	for _, s := range guard.Settings() {
		if s.Words != "" { // a rule of ours: see the next test
			continue
		}
		var value float64
		switch s.Key {
		case "spend_cap_usd":
			value = limits.SpendCapUSD
		case "warn_at":
			value = limits.WarnAt
		case "loop_repeats":
			value = float64(limits.LoopRepeats)
		case "failure_streak":
			value = float64(limits.FailureStreak)
		default:
			t.Errorf("the setting %s is new", s.Key)
		}
		if row := fmt.Sprintf("| `%s` | %v | `%s` |", s.Key, value, s.Variable); !strings.Contains(text, row) {
			t.Errorf("the page does not have %s", row)
		}
	}
}

// TestManualTellsEveryRule with its key, its usual limit, its variable and what
// it does, in one table.
func TestManualTellsEveryRule(t *testing.T) {
	data, err := os.ReadFile("../../docs/GUARD.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range guard.Settings() {
		if s.Words == "" {
			continue
		}
		row := fmt.Sprintf("| `%s` | %v | `%s` | %s |", s.Key, s.Usual, s.Variable, strings.Replace(s.Words, "%s", "N", 1))
		if !strings.Contains(string(data), row) {
			t.Errorf("docs/GUARD.md lacks\n%s", row)
		}
	}
}
