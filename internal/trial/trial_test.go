package trial_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

func TestPlanGoesTaskByTask(t *testing.T) {
	variants := []trial.Variant{trial.Default("a", ""), trial.Default("b", "")}
	done := trial.Done([]trial.Record{
		{Task: "1", Harness: "b", Status: trial.Passed},
		{Task: "2", Harness: "a", Status: trial.Error},                   // cost nothing: again
		{Task: "2", Harness: "b", Status: trial.Error, Charged: 0.1},     // cost something: done
		{Task: "1", Harness: "a", Status: trial.Interrupted, Charged: 1}, // again
	}, func(trial.Record) bool { return true })
	got := trial.Plan([]string{"1", "2"}, variants, 1, done)
	want := []trial.ID{{Task: "1", Variant: "a", Attempt: 1}, {Task: "2", Variant: "a", Attempt: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInPlanOrder(t *testing.T) {
	plan := trial.All([]string{"1", "2"}, []trial.Variant{trial.Default("a", "")}, 1)
	got := trial.InPlanOrder([]trial.Record{
		{Task: "2", Harness: "a", Run: "x"}, {Task: "1", Harness: "a", Run: "y"}, {Task: "old", Harness: "a", Run: "w"}, {Task: "1", Harness: "a", Run: "z"},
	}, plan)
	var order []string
	for _, r := range got {
		order = append(order, r.Run)
	}
	if want := "w y z x"; strings.Join(order, " ") != want {
		t.Errorf("order %v, want %s", order, want)
	}
}

func TestReadRecords(t *testing.T) {
	got := trial.ReadRecords([]byte(`{"task":"1","harness":"a","status":"passed","charged_usd":0.25}
{"task":"1","harness":"a","status":"pa
{"task":"2","harness":"a","gold_lines":"many","charged_usd":1,"error":"x` + "\xff" + `"}
{"harness":"a"}
[]
`))
	if len(got) != 2 || got[0].Charged != 0.25 || got[1].Charged != 1 || got[1].GoldLines != nil || got[1].Task != "2" {
		t.Errorf("got %+v", got)
	}
	if want := (trial.ID{Task: "1", Variant: "a", Attempt: 1}); len(got) > 0 && got[0].ID() != want {
		t.Errorf("id %+v, want %+v", got[0].ID(), want)
	}
}

func TestVerdicts(t *testing.T) {
	worked := harness.Outcome{Worked: true}
	hooked := harness.Outcome{Worked: true, CutShort: harness.ByHook}
	budget := harness.Outcome{Worked: true, CutShort: harness.ByBudget, Error: "Reached maximum budget ($0.01)"}
	for name, c := range map[string]struct {
		end      trial.End
		unscored string // the status when there is nothing to score
		pass     string
		fail     string
	}{
		"done":                          {trial.End{Outcome: worked, Touched: 1}, "", trial.Passed, trial.Failed},
		"changed nothing":               {trial.End{Outcome: worked}, "", trial.Passed, trial.Failed},
		"said nothing, changed nothing": {trial.End{}, "", trial.Passed, trial.Failed},
		"failed, after changes":         {trial.End{Outcome: worked, Exit: 3, Touched: 1}, "", trial.Passed, trial.Failed},
		"failed, changed nothing":       {trial.End{Outcome: worked, Exit: 3}, trial.Error, "", ""},
		"time-out":                      {trial.End{Outcome: worked, TimedOut: true}, "", trial.Passed, trial.Failed},
		"prompt refused by a hook":      {trial.End{Outcome: harness.Outcome{Error: "blocked"}}, trial.Error, "", ""},
		"ended by a hook":               {trial.End{Outcome: hooked, Touched: 1}, "", trial.Passed, trial.Error},
		"budget below a run's need":     {trial.End{Outcome: budget, Exit: 1, Touched: 1, Reserved: 0.1, High: 3}, "", trial.Passed, trial.Interrupted},
		"the same, changed nothing":     {trial.End{Outcome: budget, Exit: 1, Reserved: 0.1, High: 3}, trial.Interrupted, "", ""},
		"a whole high estimate":         {trial.End{Outcome: budget, Exit: 1, Touched: 1, Reserved: 3, High: 3}, "", trial.Passed, trial.Failed},
		"the same, changed nothing too": {trial.End{Outcome: budget, Exit: 1, Reserved: 3, High: 3}, trial.Error, "", ""},
		"ended by us":                   {trial.End{Outcome: worked, Ended: true, Touched: 1, Reserved: 1, High: 3}, "", trial.Passed, trial.Interrupted},
	} {
		not, why := c.end.CouldNotRun()
		if not != (c.unscored != "") || (not && why == "") {
			t.Errorf("%s: CouldNotRun = %v, %q", name, not, why)
		}
		if not {
			if got := c.end.Unscored(); got != c.unscored {
				t.Errorf("%s: %s, want %s", name, got, c.unscored)
			}
			continue
		}
		pass, _ := c.end.Status(true)
		fail, _ := c.end.Status(false)
		if pass != c.pass || fail != c.fail {
			t.Errorf("%s: passing %s, failing %s, want %s, %s", name, pass, fail, c.pass, c.fail)
		}
	}
}

// A trial that was asked in other words is done when its newest result was asked
// what is asked now: that is the one on the board.
func TestOtherWordsAreAnotherTrial(t *testing.T) {
	old, now := trial.RequestHash("Fix it"), trial.RequestHash("Fix it, please")
	one := func(asked string) trial.Record {
		return trial.Record{Task: "1", Harness: "a", Status: trial.Passed, Asked: asked}
	}
	for _, c := range []struct {
		asked []string
		hash  string
		by    string
		done  bool
	}{
		{[]string{old}, old, "", true},
		{[]string{""}, old, "", true}, // of an older program, which had no other words
		{[]string{""}, now, trial.ByEdit, false},
		{[]string{""}, now, trial.ByHints, false},
		{[]string{old}, now, trial.ByEdit, false},
		{[]string{old, now}, now, trial.ByEdit, true},
		{[]string{old, now}, old, "", false},
		{nil, old, "", false},
	} {
		var records []trial.Record
		for _, asked := range c.asked {
			records = append(records, one(asked))
		}
		done := trial.Done(records, func(r trial.Record) bool { return r.SameRequest(c.hash, c.by) })
		if got := done[trial.ID{Task: "1", Variant: "a", Attempt: 1}]; got != c.done {
			t.Errorf("%+v: done %v", c, got)
		}
	}
}

func TestRequestGivesNames(t *testing.T) {
	got := trial.Request("Fix it", "Because.", []string{"readNthLine (in context.go)", "next (in a.go)"})
	want := "Fix it\n\nBecause.\n\nTests use these names, which the change must provide: readNthLine (in context.go), next (in a.go)."
	if got != want {
		t.Errorf("got %q", got)
	}
}

func TestPromptIsTheSameForAll(t *testing.T) {
	got := trial.Prompt("Fix it", "Because.", "make test")
	for _, want := range []string{"\nChange request:\nFix it\n\nBecause.\n\n", "runs the tests: make test\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, got)
		}
	}
	if got := trial.Prompt("Fix it", "", "make test"); !strings.Contains(got, "Change request:\nFix it\n\nYour") {
		t.Errorf("a task without a body:\n%s", got)
	}
}

func adapter(name, model string) trial.Adapter {
	price := func(u harness.Usage, m string) (float64, bool) {
		rate := map[string]float64{"cheap": 1, "dear": 10}[m]
		return float64(u.Tokens()) * rate / 1e6, rate > 0
	}
	a := trial.Adapter{Model: model, Price: price, PriceSum: price}
	a.Name, a.Label, a.Program = name, strings.ToUpper(name), name
	if name == harness.ClaudeCode {
		a.ReportsCost, a.LowModel, a.HighModel = true, "cheap", "dear"
	}
	return a
}

func TestEstimate(t *testing.T) {
	show := func(s string) string { return "<" + s + ">" }
	est := trial.NewEstimate(2, []trial.Adapter{
		adapter(harness.ClaudeCode, ""), adapter(harness.Codex, "dear"), adapter(harness.GeminiCLI, ""),
	}, "2026-01-01", show)
	if est.Runs != 6 || est.PerRun != [2]int64{194000, 3350000} || est.Total == nil {
		t.Fatalf("got %+v", est)
	}
	if diff := cmp.Diff([2]float64{2*0.194 + 2*1.94, 2*33.5 + 2*33.5}, *est.Total); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"<cheap>", "<dear>"}, est.Harnesses[0].Models); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	if row := est.Harnesses[2]; row.PerRun != nil || row.Reason == nil {
		t.Errorf("Gemini CLI: %+v, want no price and the reason", row)
	}
	if diff := cmp.Diff([]string{"GEMINI-CLI"}, est.Unpriced); diff != "" {
		t.Errorf("unpriced (-want +got):\n%s", diff)
	}
}

func TestPricing(t *testing.T) {
	for name, c := range map[string]struct {
		a      trial.Adapter
		priced bool
		high   float64
	}{
		"Claude Code reports dollars, whatever its model": {adapter(harness.ClaudeCode, "unknown"), true, 33.5},
		"Codex with a known model":                        {adapter(harness.Codex, "cheap"), true, 3.35},
		"Codex without a model":                           {adapter(harness.Codex, ""), false, 0},
		"Codex with an unknown model":                     {adapter(harness.Codex, "unknown"), false, 0},
		"Gemini CLI with a known model":                   {adapter(harness.GeminiCLI, "cheap"), true, 3.35},
		"Gemini CLI":                                      {adapter(harness.GeminiCLI, ""), false, 0},
	} {
		if c.a.Priced() != c.priced || c.a.High() != c.high {
			t.Errorf("%s: priced %v at %v, want %v at %v", name, c.a.Priced(), c.a.High(), c.priced, c.high)
		}
	}
}
