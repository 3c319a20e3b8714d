package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/harness"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// spentSession is a session that has spent usd.
func spentSession(usd float64) *Session {
	s := New("sess-1", harness.ClaudeCode, noon)
	s.CostUSD = usd
	return s
}

var callNumber int // makes each check's call another one

// checkOf is one call of a tool with the default limits, unlike any other.
func checkOf(tool string, change ...func(*Check)) Check {
	callNumber++
	input := fmt.Appendf(nil, `{"n":%d}`, callNumber)
	c := Check{
		Call: harness.Call{
			Session: "sess-1", Agent: "main", Tool: tool, Short: strings.ToLower(tool), Input: input,
			ToolUseID: fmt.Sprint("toolu_", callNumber),
		},
		Limits: Defaults(), Sources: Sources{SpendCapUSD: Source{Kind: FromDefault}},
		Asks: true, Now: noon, Program: "checkrein", File: "/state/runaway-guard.json",
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

func same(c *Check)  { c.Call.Input = []byte(`{"same":true}`) }
func codex(c *Check) { c.Asks = false }

func agentCalled(name string) func(*Check) { return func(c *Check) { c.Call.Agent = name } }
func prompt(id string) func(*Check)        { return func(c *Check) { c.Call.Prompt = id } }

func limited(l Limits) func(*Check) { return func(c *Check) { c.Limits = l } }

// has fails unless text holds each part.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

func TestSpendBlocksAtTheCap(t *testing.T) {
	for _, c := range []struct {
		name  string
		spent float64
		cap   float64
		want  harness.Decision
	}{
		{"far below", 1, 10, harness.Pass},
		{"just below", 9.999, 10, harness.Pass},
		{"at the cap", 10, 10, harness.Deny},
		{"above", 10.02, 10, harness.Deny},
		{"the wire is off", 1e6, 0, harness.Pass},
		{"a cap of a cent", 0.01, 0.01, harness.Deny},
		{"nothing spent", 0, 0.01, harness.Pass},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := spentSession(c.spent).Decide(checkOf("Edit", limited(Limits{SpendCapUSD: c.cap, WarnAt: 0.8})))
			if got.Decision != c.want || got.EndTurn != (c.want == harness.Deny) {
				t.Errorf("decision %d, end of turn %t; want %d", got.Decision, got.EndTurn, c.want)
			}
		})
	}
}

func TestFourToolsPassAtTheCap(t *testing.T) {
	for tool, want := range map[string]harness.Decision{
		"TaskStop": harness.Pass, "KillShell": harness.Pass, "KillBash": harness.Pass, "StructuredOutput": harness.Pass,
		"taskstop": harness.Deny, "mcp__x__TaskStop": harness.Deny, "Bash": harness.Deny, "Read": harness.Deny, "": harness.Deny,
	} {
		if got := spentSession(11).Decide(checkOf(tool)); got.Decision != want {
			t.Errorf("%q: decision %d, want %d", tool, got.Decision, want)
		}
	}
}

func TestSpendStopSaysHowToGoOn(t *testing.T) {
	s := spentSession(12.345)
	s.ID = "it's one"
	s.EstimatedUSD, s.EstimatedModels = 2, []string{"claude-opus-9", "gpt-9"}
	for _, c := range []struct {
		from Source
		want string
	}{
		{Source{Kind: FromDefault}, "set a higher spend_cap_usd in /state/runaway-guard.json"},
		{Source{FromUser, "/state/runaway-guard.json"}, "raise spend_cap_usd in /state/runaway-guard.json"},
		{Source{FromProject, "/repo/.claude/runaway-guard.json"}, "raise or remove spend_cap_usd in /repo/.claude/runaway-guard.json"},
		{Source{FromEnvironment, "RUNAWAY_GUARD_CAP_USD"}, "raise or unset RUNAWAY_GUARD_CAP_USD where the agent runs"},
	} {
		got := s.Decide(checkOf("Edit", func(k *Check) { k.Sources.SpendCapUSD = c.from; k.Program = "'/a b/checkrein'" }))
		for _, text := range [...]string{got.Reason, got.Message} {
			has(t, text, "$12.3", "$10.00", c.want, `'/a b/checkrein' guard allow --session 'it'"'"'s one'`, `'/a b/checkrein' guard reset --session 'it'"'"'s one'`,
				"$2.00", "claude-opus-9, gpt-9")
			if strings.ContainsAny(text, "\n\r\x1b") {
				t.Errorf("more than one line: %q", text)
			}
		}
	}
}

func TestSpendStopWithoutAnEstimate(t *testing.T) {
	got := spentSession(11).Decide(checkOf("Edit"))
	if strings.Contains(got.Reason+got.Message, "estimate") {
		t.Errorf("%q speaks of an estimate", got.Reason)
	}
}

func TestSpendStopIsOneEntry(t *testing.T) {
	s := spentSession(11)
	for range 3 {
		s.Decide(checkOf("Edit"))
	}
	if s.Counts[WireSpend] != 3 {
		t.Errorf("counted %d blocks", s.Counts[WireSpend])
	}
	want := []Trip{{Wire: WireSpend, At: "2026-11-30T12:00:00Z", Tool: "Edit", Detail: "$11.00 of the $10.00 cap"}}
	if diff := cmp.Diff(want, s.Trips); diff != "" {
		t.Errorf("trips (-want +got):\n%s", diff)
	}
}

func TestWarnsOncePerCap(t *testing.T) {
	s := spentSession(8)
	steps := []struct {
		name   string
		spent  float64
		limits Limits
		want   []string // what the message tells; nil: no message
	}{
		{"below", 7.99, Limits{SpendCapUSD: 10, WarnAt: 0.8}, nil},
		{"at 80 %", 8, Limits{SpendCapUSD: 10, WarnAt: 0.8}, []string{"$8.00", "$10.00", "80%"}},
		{"once", 9, Limits{SpendCapUSD: 10, WarnAt: 0.8}, nil},
		{"another cap", 10, Limits{SpendCapUSD: 12, WarnAt: 0.8}, []string{"$10.00", "$12.00", "83%"}},
		{"no cap", 10, Limits{WarnAt: 0.8}, nil},
		{"warn at the cap itself", 12.99, Limits{SpendCapUSD: 13, WarnAt: 1}, nil},
		{"a low share", 13, Limits{SpendCapUSD: 130, WarnAt: 0.1}, []string{"$13.00", "$130.00", "10%"}},
	}
	warned := 0
	for _, step := range steps {
		s.CostUSD = step.spent
		got := s.Decide(checkOf("Edit", limited(step.limits)))
		if got.Decision != harness.Pass || (got.Message != "") != (step.want != nil) {
			t.Errorf("%s: decision %d, message %q", step.name, got.Decision, got.Message)
		}
		has(t, got.Message, step.want...)
		if step.want != nil {
			warned++
		}
	}
	if s.Counts[WireWarning] != warned {
		t.Errorf("counted %d warnings, want %d", s.Counts[WireWarning], warned)
	}
}

func TestBaselineIsToldOnce(t *testing.T) {
	s := spentSession(37.5)
	s.Baseline(s.Spent(), 10, "Edit", noon)
	first, second := s.Decide(checkOf("Edit")), s.Decide(checkOf("Edit"))
	if first.Decision != harness.Pass || second != (harness.Answer{}) {
		t.Errorf("answers %+v, then %+v", first, second)
	}
	has(t, first.Message, "$37.50", "$10.00", "$0.00")
	if s.Spent() != 0 || s.CostUSD != 37.5 || s.Counts[WireBaseline] != 1 {
		t.Errorf("spent %v of %v, counts %v", s.Spent(), s.CostUSD, s.Counts)
	}
	has(t, s.Trips[0].Detail, "$37.50")
	s.CostUSD += 10
	if s.Decide(checkOf("Edit")).Decision != harness.Deny {
		t.Error("the cap no longer holds after the baseline")
	}
}

func TestBaselineOnlyForSessionsOverTheirCap(t *testing.T) {
	for _, c := range []struct{ spent, cap, want float64 }{{9.99, 10, 9.99}, {10, 10, 0}, {50, 0, 50}} {
		s := spentSession(c.spent)
		s.Baseline(s.Spent(), c.cap, "Edit", noon)
		if s.Spent() != c.want {
			t.Errorf("%v spent of a cap of %v: then %v, want %v", c.spent, c.cap, s.Spent(), c.want)
		}
	}
}

func TestBaselineWaitsForACallThatPasses(t *testing.T) {
	s := spentSession(50)
	s.Baseline(s.Spent(), 10, "Edit", noon)
	s.Streaks["main"] = 5
	if got := s.Decide(checkOf("Edit")); got.Decision != harness.Ask || got.Message != "" {
		t.Fatalf("answer %+v", got)
	}
	has(t, s.Decide(checkOf("Edit")).Message, "$50.00")
}

func TestEstimateIsNotedOnce(t *testing.T) {
	s := spentSession(1)
	s.EstimatedModels = []string{"claude-opus-9", "claude-opus-10"}
	first, second := s.Decide(checkOf("Edit")), s.Decide(checkOf("Edit"))
	has(t, first.Message, "claude-opus-9")
	if strings.Contains(first.Message, "claude-opus-10") || second.Message != "" {
		t.Errorf("messages %q, then %q", first.Message, second.Message)
	}
}

func TestLoopBlocksTheThirdIdenticalCall(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	for i, want := range []harness.Decision{harness.Pass, harness.Pass, harness.Deny, harness.Deny} {
		got := s.Decide(checkOf("Edit", same))
		if got.Decision != want || got.EndTurn != (i == 3) {
			t.Errorf("call %d: %+v", i+1, got)
		}
		if want == harness.Deny {
			has(t, got.Reason, "Edit", ordinal(i+1), "ask the user")
			has(t, got.Message, "Edit", fmt.Sprint(i+1, " times"))
		}
	}
	if got := s.Decide(checkOf("Edit")); got.Decision != harness.Pass {
		t.Errorf("another call is blocked too: %+v", got)
	}
	if got := s.Decide(checkOf("Edit", same)); got.Decision != harness.Pass {
		t.Errorf("something changed in between, and still: %+v", got)
	}
	if s.Counts[WireLoop] != 2 || len(s.Trips) != 2 || s.Trips[1].Detail != "4th identical call" {
		t.Errorf("counts %v, trips %v", s.Counts, s.Trips)
	}
}

func TestLoopLimitIsASetting(t *testing.T) {
	for _, c := range []struct{ repeats, firstBlocked int }{{0, 0}, {2, 2}, {3, 3}, {7, 7}} {
		s, blocked := New("s", harness.ClaudeCode, noon), 0
		for i := range 10 {
			if got := s.Decide(checkOf("X", same, limited(Limits{LoopRepeats: c.repeats}))); got.Decision == harness.Deny && blocked == 0 {
				blocked = i + 1
			}
		}
		if blocked != c.firstBlocked {
			t.Errorf("loop_repeats %d: call %d is the first blocked, want %d", c.repeats, blocked, c.firstBlocked)
		}
	}
}

func TestLoopIsPerAgent(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	for range 2 {
		for _, name := range []string{"main", "a", "b"} {
			if got := s.Decide(checkOf("Read", same, agentCalled(name))); got.Decision != harness.Pass {
				t.Fatalf("%s: %+v", name, got)
			}
		}
	}
	if s.Decide(checkOf("Read", same, agentCalled("b"))).Decision != harness.Deny {
		t.Error("an agent's third call passes")
	}
}

func TestANewPromptClearsLoopCounts(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	for i, step := range []struct {
		prompt string
		want   harness.Decision
	}{
		{"p1", harness.Pass},
		{"p1", harness.Pass},
		{"p2", harness.Pass},
		{"p2", harness.Pass},
		{"", harness.Deny},
		{"p2", harness.Deny},
		{"p1", harness.Pass},
	} {
		if got := s.Decide(checkOf("Edit", same, prompt(step.prompt))); got.Decision != step.want {
			t.Errorf("step %d: decision %d, want %d", i, got.Decision, step.want)
		}
	}
}

func TestFailuresAskOnceThenStartOver(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Check)
		want   harness.Decision
	}{"a harness that asks": {func(*Check) {}, harness.Ask}, "one that cannot": {codex, harness.Deny}} {
		s := New("s", harness.ClaudeCode, noon)
		s.Streaks["main"] = 4
		if got := s.Decide(checkOf("Edit", c.change)); got != (harness.Answer{}) {
			t.Errorf("%s, 4 failures: %+v", name, got)
		}
		s.Streaks["main"] = 6
		got := s.Decide(checkOf("Edit", c.change))
		if got.Decision != c.want || got.EndTurn {
			t.Errorf("%s: %+v", name, got)
		}
		has(t, got.Reason, "last 6 tool calls")
		if again := s.Decide(checkOf("Edit", c.change)); again != (harness.Answer{}) {
			t.Errorf("%s, asked again: %+v", name, again)
		}
		if s.Counts[WireFailures] != 1 || s.Trips[0].Detail != "6 failed calls in a row" {
			t.Errorf("%s: counts %v, trips %v", name, s.Counts, s.Trips)
		}
	}
}

func TestFailuresArePerAgentAndCanBeOff(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	s.Streaks["sub"] = 9
	if got := s.Decide(checkOf("Edit")); got != (harness.Answer{}) {
		t.Errorf("another agent's failures: %+v", got)
	}
	if got := s.Decide(checkOf("Edit", agentCalled("sub"), limited(Limits{}))); got != (harness.Answer{}) {
		t.Errorf("the wire is off: %+v", got)
	}
	if got := s.Decide(checkOf("Edit", agentCalled("sub"))); got.Decision != harness.Ask {
		t.Errorf("its own failures: %+v", got)
	}
}

// TestTheFirstRuleDecides: spend before loop before failures before messages.
func TestTheFirstRuleDecides(t *testing.T) {
	make := func(spent float64, repeats, streak int) *Session {
		s := spentSession(spent)
		if repeats > 0 {
			s.Agents.use("main").Counts = []count{{fingerprint("Edit", []byte(`{"same":true}`)).String(), repeats}}
		}
		s.Streaks["main"] = streak
		return s
	}
	for _, c := range []struct {
		name   string
		s      *Session
		wire   string
		streak int // left afterwards
	}{
		{"spend", make(11, 2, 5), WireSpend, 5},
		{"loop", make(9, 2, 5), WireLoop, 5},
		{"failures", make(9, 1, 5), WireFailures, 0},
		{"message", make(9, 1, 4), WireWarning, 4},
	} {
		c.s.Decide(checkOf("Edit", same))
		if len(c.s.Trips) != 1 || c.s.Trips[0].Wire != c.wire || c.s.Streaks["main"] != c.streak {
			t.Errorf("%s: trips %v, streak %d", c.name, c.s.Trips, c.s.Streaks["main"])
		}
	}
}

func TestBounds(t *testing.T) {
	s := spentSession(11)
	for n := range 300 {
		s.Decide(checkOf("Edit"))
		s.record(WireLoop, strings.Repeat("x", 500), "detail", noon)
		s.noteEstimated(fmt.Sprint("model ", n, strings.Repeat(" yz", 60)))
	}
	if len(s.Trips) != maxTrips || len(s.DeniedIDs) != maxDenied || len(s.EstimatedModels) != maxEstimated || len(s.Judged) != maxJudged {
		t.Errorf("%d trips, %d denied, %d models, %d answers", len(s.Trips), len(s.DeniedIDs), len(s.EstimatedModels), len(s.Judged))
	}
	if n := len(s.Trips[0].Tool); n > maxToolChars {
		t.Errorf("a tool name of %d characters", n)
	}
	if n := len(s.EstimatedModels[0]); n > maxModelChars {
		t.Errorf("a model name of %d characters", n)
	}
}

// TestNothingFiresWhenEveryLimitIsOff, whatever the session holds.
func TestNothingFiresWhenEveryLimitIsOff(t *testing.T) {
	s := spentSession(1e9)
	s.Baseline(s.Spent(), 0, "Edit", noon)
	for n := range 200 {
		s.Streaks["main"] = n
		if got := s.Decide(checkOf("Edit", same, limited(Limits{WarnAt: 0.8}))); got != (harness.Answer{}) {
			t.Fatalf("call %d: %+v", n, got)
		}
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 20: "20th",
		21: "21st", 22: "22nd", 100: "100th", 101: "101st", 111: "111th", 112: "112th", 121: "121st",
	} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"": "''", "a": "a", "/usr/bin/x-1.2_3": "/usr/bin/x-1.2_3", "a b": "'a b'", "it's": `'it'"'"'s'`,
		"$(rm)": "'$(rm)'", "é": "'é'", "a\nb": "'a\nb'", "~": "'~'", "a=b,c@d%e+f:g": "a=b,c@d%e+f:g",
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
