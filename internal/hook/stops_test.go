package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/guard"
)

// T11: after a stop further calls are answered from the state alone: nothing is
// read, nothing grows, and nothing lets a call through.
func TestAStopHoldsWithoutReading(t *testing.T) {
	w := newWorld(t)
	w.spend(1)
	w.edit()
	w.spend(9.5)
	if got := w.edit(); got.Decision != "deny" || !got.Ends {
		t.Fatalf("at the cap: %+v", got)
	}
	before := w.saved()
	w.must(os.Remove(w.transcript))
	w.must(os.Mkdir(w.transcript, 0o755)) // whatever is there is not looked at
	for range 500 {
		if got := w.edit("agent_id", fmt.Sprint("a", w.calls%3)); got.Decision != "deny" || !got.Ends {
			t.Fatalf("call %d: %+v", w.calls, got)
		}
	}
	after := w.saved()
	if len(after.Trips) != len(before.Trips) || after.Files[w.transcript].Offset != before.Files[w.transcript].Offset {
		t.Errorf("%d entries, then %d", len(before.Trips), len(after.Trips))
	}
	if info, err := os.Stat(w.store().SessionFile("sess-1")); err != nil || info.Size() > 64<<10 {
		t.Errorf("the state file: %v, %v", info.Size(), err)
	}
	if _, err := os.Stat(filepath.Join(w.store().Dir, "errors.log")); err == nil {
		t.Errorf("the error log grows")
	}
}

func TestWithoutHoldingTheTranscriptIsRead(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_HOLD_STOPS"] = "false"
	w.spend(1)
	w.edit()
	w.spend(9.5)
	w.edit()
	w.spend(3)
	w.edit()
	w.spent(13.5)
}

// T1: the next paid request is not sent: the end of the batch ends the turn.
func TestTheEndOfABatchEndsTheTurn(t *testing.T) {
	w := newWorld(t)
	batch := w.raw("", `null`, "hook_event_name", "PostToolBatch")
	w.spend(9.99)
	if out := w.run(batch); out != "" {
		t.Errorf("below the cap: %q", out)
	}
	w.spend(0.03)
	out := w.run(w.raw("", `null`, "hook_event_name", "PostToolBatch"))
	for _, part := range []string{`"continue":false`, `"stopReason":"checkrein: this session reached its spend cap, $10.02 of $10.00`, `"systemMessage":"checkrein`} {
		if !strings.Contains(out, part) {
			t.Errorf("%q does not say %s", out, part)
		}
	}
	w.env["RUNAWAY_GUARD_STOP_BATCHES"] = "0"
	if out := w.run(w.raw("", `null`, "hook_event_name", "PostToolBatch")); out != "" {
		t.Errorf("without the rule: %q", out)
	}
}

// T2: eight hours of wake-ups over three resumed sessions: the cap of the day
// stops the third, though none has reached a cap of its own.
func TestACapOfTheDayHoldsOverSessions(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_DAY_CAP_USD"] = "12"
	for n, want := range []string{"", "", "deny"} {
		session := *w
		session.transcript = filepath.Join(w.root, fmt.Sprintf("night-%d.jsonl", n))
		session.responses = 100 * n
		session.input = map[string]any{"session_id": fmt.Sprint("night-", n), "transcript_path": session.transcript, "cwd": w.root, "prompt_id": "p", "hook_event_name": "PreToolUse"}
		session.edit()
		session.spend(5)
		got := session.edit()
		if got.Decision != want {
			t.Errorf("session %d: %+v", n+1, got)
		}
		if want != "" {
			has(t, got.Reason, "all sessions together have spent about $15.00", "the $12.00 cap a day", "RUNAWAY_GUARD_DAY_CAP_USD", "2026-12-01 00:00", "guard allow --session night-2")
		}
	}
	w.now = w.now.AddDate(0, 0, 1) // the next day starts over
	if got := w.edit(); got.Decision != "" {
		t.Errorf("the next day: %+v", got)
	}
}

// Two hook entries send the same prompt twice: 5 dollars more are 5.
func TestTypedWordsAreObeyedOnce(t *testing.T) {
	w := newWorld(t)
	w.spend(1)
	w.edit()
	prompt := w.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "checkrein guard allow --usd 5", "prompt_id", "p9", "tool_use_id", nil)
	first, second := w.run(prompt), w.run(prompt)
	if got := w.saved().AllowedUSD; got != 5 || first != second || !strings.Contains(first, "$15.00") {
		t.Errorf("$%v allowed; %q, then %q", got, first, second)
	}
	w.run(w.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "checkrein guard allow --usd 5", "prompt_id", "p10", "tool_use_id", nil))
	if got := w.saved().AllowedUSD; got != 10 {
		t.Errorf("$%v allowed after the next prompt", got)
	}
}

// What a subagent is told is the words of the agent that started it.
func TestASubagentsPromptIsNoUsersWord(t *testing.T) {
	for _, harness := range []string{"claude-code", "codex"} {
		w := newWorld(t)
		w.args = []string{"--harness", harness}
		out := w.run(w.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "checkrein guard allow --usd 5", "agent_id", "a1"))
		if w.saved().AllowedUSD != 0 || out != "" {
			t.Errorf("%s: it is obeyed: %q", harness, out)
		}
	}
}

// A session that has paid nothing yet meets a project's cap at its first prompt.
func TestAProjectsCapHoldsForANewSession(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_PROJECT_CAP_USD"] = "4"
	w.edit()
	w.spend(5)
	w.edit()
	fresh := *w
	fresh.transcript = filepath.Join(w.root, "next.jsonl")
	fresh.input = map[string]any{"session_id": "next", "transcript_path": fresh.transcript, "cwd": w.root, "prompt_id": "p", "hook_event_name": "PreToolUse"}
	out := fresh.run(fresh.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "go on"))
	if !strings.Contains(out, "$5.00 of $4.00") {
		t.Errorf("the first prompt: %q", out)
	}
	if got := fresh.edit(); got.Decision != "deny" {
		t.Errorf("the first call: %+v", got)
	}
}

// What was paid on the day before midnight is that day's.
func TestADaysSpendIsOfTheDayItWasPaid(t *testing.T) {
	w := newWorld(t)
	w.edit()
	w.now = time.Date(2026, 12, 1, 0, 5, 0, 0, time.UTC)
	w.spend(4) // at noon of November 30
	w.edit()
	if days := w.saved().Days; len(days) != 1 || days["2026-11-30"] != 4e9 {
		t.Errorf("%v", days)
	}
	totals, err := w.store().Totals("", w.now)
	if err != nil || totals.Day(w.now) != 0 || totals.Month(w.now) != 0 || totals.Week(w.now).USD() != 4 {
		t.Errorf("day %v, week %v, month %v: %v", totals.Day(w.now), totals.Week(w.now), totals.Month(w.now), err)
	}
}

// A prompt over a cap sends nothing; a session below it hears nothing.
func TestAPromptOverTheCapIsRefused(t *testing.T) {
	for _, harness := range []string{"claude-code", "codex"} {
		w := newWorld(t)
		w.args = []string{"--harness", harness}
		prompt := func() string {
			return w.run(w.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "go on"))
		}
		if out := prompt(); out != "" {
			t.Errorf("%s, nothing spent: %q", harness, out)
		}
		s := w.saved()
		s.CostUSD = 10.5
		w.must(w.store().Save(s))
		if out := prompt(); !strings.HasPrefix(out, `{"continue":false,"stopReason":"checkrein: this session reached`) || strings.Contains(out, "systemMessage") {
			t.Errorf("%s: %q", harness, out)
		}
		if out := w.run(w.raw("", `null`, "hook_event_name", "SessionStart", "source", "resume")); out != "" {
			t.Errorf("%s: SessionStart is answered, so that no typed word could follow: %q", harness, out)
		}
	}
}

// T28: the working folder may be gone; T32: Codex throws away an answer with
// anything but a denial and its reason.
func TestWhatCodexIsTold(t *testing.T) {
	w := newWorld(t)
	w.args = []string{"--harness", "codex"}
	w.input["cwd"] = filepath.Join(w.root, "deleted")
	delete(w.input, "prompt_id")
	w.input["turn_id"] = "t1"
	var outs []string
	for range 5 {
		outs = append(outs, strings.TrimSpace(w.run(w.raw("Bash", `{"command":"make"}`))))
	}
	if outs[0] != "" || outs[1] != "" {
		t.Errorf("two calls: %q", outs[:2])
	}
	for i, out := range outs[2:] {
		if !strings.HasPrefix(out, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"`) ||
			!strings.HasSuffix(out, `"}}`) {
			t.Errorf("call %d: %s", i+3, out)
		}
		if i > 0 && !strings.Contains(out, "Stop now: end the turn") {
			t.Errorf("call %d does not say to stop: %s", i+3, out)
		}
	}
}

// T31: an older Claude Code drops continue:false where a tool failed, so the
// denial must hold by itself on the next call.
func TestTheDenialHoldsWhereTheTurnGoesOn(t *testing.T) {
	w := newWorld(t)
	w.edit()
	w.spend(10.5)
	w.fail()
	for range 3 {
		if got := w.edit(); got.Decision != "deny" || got.Reason == "" {
			t.Errorf("%+v", got)
		}
	}
}

// T33: where a harness loses the reason of a question, the agent still reads one:
// a question that nobody can answer is a denial with its reason.
func TestAQuestionNobodyCanAnswerIsAReasonForTheAgent(t *testing.T) {
	for _, alone := range []map[string]string{{"CLAUDE_CODE_SESSION_ATTENDED": "0"}, {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {}} {
		w := newWorld(t)
		for name, value := range alone {
			w.env[name] = value
		}
		if len(alone) == 0 {
			w.input["permission_mode"] = "bypassPermissions"
		}
		for range 6 {
			w.fail()
		}
		if got := w.edit(); got.Decision != "deny" || !got.Ends || !strings.Contains(got.Reason, "failed") {
			t.Errorf("%v: %+v", alone, got)
		}
	}
	w := newWorld(t)
	w.env["CLAUDE_CODE_SESSION_ATTENDED"], w.env["CLAUDE_CODE_ENTRYPOINT"] = "1", "cli"
	for range 6 {
		w.fail()
	}
	if got := w.edit(); got.Decision != "ask" {
		t.Errorf("somebody is there: %+v", got)
	}
}

// A cap in tokens, for users on a flat plan: cache reads are left out (T44).
func TestACapInTokens(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_CAP_TOKENS"], w.env["RUNAWAY_GUARD_CAP_USD"] = "1000000", "0"
	w.edit()
	w.spend(0.9) // a dollar is a million tokens of input
	if got := w.edit(); got.Decision != "" {
		t.Errorf("below: %+v", got)
	}
	w.spend(0.2)
	got := w.edit()
	if got.Decision != "deny" || !got.Ends {
		t.Errorf("above: %+v", got)
	}
	has(t, got.Reason, "1100000 tokens", "1000000 tokens cap", "RUNAWAY_GUARD_CAP_TOKENS", "guard allow", "guard reset")
}

// What one session may spend more does not raise the cap of another.
func TestAnAllowanceIsOneSessions(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_DAY_CAP_USD"], w.env["RUNAWAY_GUARD_CAP_USD"] = "5", "0"
	w.edit()
	w.spend(6)
	if got := w.edit(); got.Decision != "deny" {
		t.Fatalf("%+v", got)
	}
	s := w.saved()
	totals, err := w.store().Totals(s.Project, w.now)
	w.must(err)
	if done := s.Allow(s.Limits, BudgetOf(totals, s.Project, w.now), 0); len(done) != 1 || !strings.Contains(done[0], "$11.00 a day") {
		t.Errorf("%v", done)
	}
	w.must(w.store().Save(s))
	if got := w.edit(); got.Decision != "" {
		t.Errorf("allowed: %+v", got)
	}
	other := *w
	other.input = map[string]any{"session_id": "other", "cwd": w.root, "prompt_id": "p", "hook_event_name": "PreToolUse"}
	if got := other.edit(); got.Decision != "deny" {
		t.Errorf("another session: %+v", got)
	}
}

// Every rule but the Python guard's is off under its rules.
func TestTheReferencesRulesStopNothingElse(t *testing.T) {
	w := newWorld(t)
	w.env["RUNAWAY_GUARD_RULES"], w.env["RUNAWAY_GUARD_DAY_CAP_USD"] = "reference", "1"
	w.edit()
	w.spend(9)
	for n := range 12 {
		if got := w.call("Bash", fmt.Sprintf(`{"command":"make %d"}`, n%2)); got.Decision != "" {
			t.Errorf("call %d: %+v", n, got)
		}
	}
	if s := w.saved(); s.Limits.Rules != (guard.Rules{}) || len(s.Agents) == 0 {
		t.Errorf("%+v", s.Limits)
	}
	if out := w.run(w.raw("Bash", `{"command":"checkrein guard allow"}`)); out != "" {
		t.Errorf("protected: %q", out)
	}
}

// An agent can start another one with the words as its prompt.
func TestTheWordsOfAnAgentAreNoUsers(t *testing.T) {
	w := newWorld(t)
	w.agents = 2
	w.edit()
	s := w.saved()
	s.CostUSD = 12
	w.must(w.store().Save(s))
	words := w.raw("", `null`, "hook_event_name", "UserPromptSubmit", "prompt", "checkrein guard allow")
	if out := w.run(words); !strings.Contains(out, "reached its spend cap") {
		t.Errorf("below another agent: %q", out)
	}
	w.agents = 1
	if out := w.run(words); !strings.Contains(out, "may use $22.00 now") {
		t.Errorf("the user's: %q", out)
	}
}

// The result of the call before came 70 ms late, so a poll whose result changes
// was blocked at its third call.
func TestAPollWhoseResultComesLateIsNoLoop(t *testing.T) {
	w := newWorld(t)
	naps := 0
	poll := func() answer { return w.call("Bash", `{"command":"wc -l log"}`) }
	result := func(n int) {
		w.append(fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":"msg_p%d","role":"assistant","model":"claude-haiku-4-5",`+
			`"stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"wc -l log"}}],`+
			`"usage":{"input_tokens":1,"output_tokens":0}}}`, n, n),
			fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%d lines"}]}}`, n, n))
	}
	poll()
	result(1)
	poll()
	w.sleep = func(time.Duration) {
		if naps++; naps == 3 {
			result(2)
		}
	}
	if got := poll(); got.Decision != "" || naps != 3 {
		t.Errorf("after %d naps: %+v", naps, got)
	}
	naps = 100 // the result never comes: the wait has an end, and what is known says that it moves
	if got := poll(); got.Decision != "" || naps > 140 {
		t.Errorf("after %d naps: %+v", naps, got)
	}
}

// The third failure's result came 100 ms late, so a fourth try ran.
func TestAFailureThatComesLateCounts(t *testing.T) {
	w := newWorld(t)
	naps := 0
	try := func() answer { return w.call("Bash", `{"command":"make test"}`) }
	failed := func() {
		id := fmt.Sprint("toolu_", w.calls)
		w.append(fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-30T12:00:00.000Z","message":{"id":"msg_%s","role":"assistant","model":"claude-haiku-4-5",`+
			`"stop_reason":"tool_use","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"make test"}}],`+
			`"usage":{"input_tokens":1,"output_tokens":0}}}`, id, id),
			fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":"Exit code 1: no"}]}}`, id))
	}
	for range 2 {
		try()
		failed()
		w.edit()
	}
	try()
	third := w.calls
	w.edit()
	w.sleep = func(time.Duration) {
		if naps++; naps == 20 {
			w.calls, third = third, w.calls
			failed()
			w.calls = third
		}
	}
	if got := try(); !strings.Contains(got.Reason, "failed 3 times") || naps != 20 {
		t.Errorf("after %d naps: %+v", naps, got)
	}
}
