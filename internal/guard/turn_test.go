package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// play is one agent's turn: calls are decided before they run, and the
// transcript tells how they ended.
type play struct {
	t       *testing.T
	s       *Session
	counter *Counter
	limits  Limits
	now     time.Time
	n       int
	agent   string
	alone   bool
}

func newPlay(t *testing.T) *play {
	s := New("s", harness.ClaudeCode, noon)
	s.Limits = Defaults()
	c := NewCounter(s, price.Embedded, func() Shared { return owners{} }, true)
	c.Now = noon
	c.Begin(&File{Agent: "main"}, "")
	return &play{t: t, s: s, counter: c, limits: s.Limits, now: noon, agent: "main"}
}

func (p *play) off(rules ...Rule) *play {
	for _, r := range rules {
		p.limits.Rules[r] = 0
	}
	p.s.Limits = p.limits
	return p
}

// do decides a call and, where it goes on, tells its result.
func (p *play) do(c call, result harness.Result, output uint64) harness.Answer {
	p.t.Helper()
	p.n++
	id := fmt.Sprint("toolu_", p.n)
	got := p.s.Decide(Check{
		Call: harness.Call{
			Agent: p.agent, Prompt: "p", Tool: c[0], Short: strings.ToLower(c[0]), Input: []byte(c[1]), ToolUseID: id, Sub: p.agent != "main",
		},
		Limits: p.limits, Asks: true, Now: p.now, Program: "checkrein", Alone: p.alone,
	})
	if got.Decision == harness.Deny { // what a denied call gave is the denial
		result, output = harness.Neutral, 1<<40+uint64(p.n)
	}
	if result != harness.Pending {
		p.counter.Add(harness.Event{Kind: harness.ToolCall, ID: id, Tool: c[0], Result: result, Output: output})
	}
	return got
}

// ok is a call that succeeds, bad one that fails, each with an output.
func (p *play) ok(c call, output uint64) harness.Answer  { return p.do(c, harness.Succeeded, output) }
func (p *play) bad(c call, output uint64) harness.Answer { return p.do(c, harness.Failed, output) }

// quiet fails where one of the answers steps in.
func (p *play) quiet(got harness.Answer) {
	p.t.Helper()
	if got.Decision != harness.Pass {
		p.t.Fatalf("call %d is stopped: %s", p.n, got.Message)
	}
}

func (p *play) tells(got harness.Answer, part string) {
	p.t.Helper()
	if got.Decision != harness.Deny || got.EndTurn || !strings.Contains(got.Reason, part) {
		p.t.Errorf("call %d: %+v; want a denial that says %q and lets the turn go on", p.n, got, part)
	}
}

func (p *play) ends(got harness.Answer) {
	p.t.Helper()
	if got.Decision != harness.Deny || !got.EndTurn {
		p.t.Errorf("call %d: %+v; want the end of the turn", p.n, got)
	}
}

func editOfFile(n int) call {
	return call{"Edit", fmt.Sprintf(`{"file_path":"f%d","old_string":"%d"}`, n%3, n)}
}

// T6: the third identical call is blocked, the next repeat ends the turn.
func TestTheNextRepeatEndsTheTurn(t *testing.T) {
	p, glob := newPlay(t), call{"Glob", `{"pattern":"*.x"}`}
	p.quiet(p.ok(glob, 7))
	p.quiet(p.ok(glob, 7))
	p.tells(p.ok(glob, 7), "3rd identical call")
	p.ends(p.ok(glob, 7))
}

// T10, T35: a second loop in the turn ends it, also another one; far apart only
// where nobody watches.
func TestASecondLoopEndsTheTurn(t *testing.T) {
	for _, c := range []struct {
		apart int
		alone bool
		ends  bool
	}{{5, false, true}, {40, false, false}, {40, true, true}} {
		p := newPlay(t)
		p.alone = c.alone
		for range 3 {
			p.ok(bash("make a"), 1)
		}
		for n := range c.apart {
			p.quiet(p.ok(editOfFile(n), uint64(n)))
		}
		p.ok(bash("make b"), 1)
		p.ok(bash("make b"), 1)
		if got := p.ok(bash("make b"), 1); got.Decision != harness.Deny || got.EndTurn != c.ends {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestWithoutItsRuleALoopOnlyTells(t *testing.T) {
	p := newPlay(t).off(EndTurn)
	for n := range 8 {
		if got := p.ok(bash("x"), 1); got.EndTurn || (got.Decision == harness.Deny) != (n >= 2) {
			t.Errorf("call %d: %+v", n+1, got)
		}
	}
}

// T36: A, B, A, B, … up to five calls that take turns.
func TestCallsThatTakeTurns(t *testing.T) {
	for period := 2; period <= 5; period++ {
		p := newPlay(t)
		for n := range 3*period - 1 {
			p.quiet(p.ok(bash(fmt.Sprint("make ", n%period)), uint64(n%period+1)))
		}
		p.tells(p.ok(bash(fmt.Sprint("make ", period-1)), 1), "3 times")
		if got := p.s.Trips[0]; got.Rule != "loop_cycles" || len(got.Calls) != period {
			t.Errorf("period %d: %+v", period, got)
		}
	}
	p := newPlay(t)
	for n := range 24 { // six that take turns are no cycle
		p.quiet(p.ok(bash(fmt.Sprint("make ", n%6)), 1))
	}
	p = newPlay(t).off(LoopCycles)
	for n := range 24 {
		p.quiet(p.ok(bash(fmt.Sprint("make ", n%2)), 1))
	}
}

// A cycle whose results move is work: a status that changes, edits that differ.
func TestACycleWhoseResultsChange(t *testing.T) {
	p := newPlay(t)
	for n := range 20 {
		p.quiet(p.ok(bash([]string{"make", "./deploy"}[n%2]), uint64(n/2+1)))
	}
}

// T8: the same failing call with edits in between.
func TestTheSameFailureAcrossEdits(t *testing.T) {
	p := newPlay(t)
	for n := range 3 {
		p.quiet(p.bad(bash("go build ./..."), 5))
		p.quiet(p.ok(editOfFile(n), uint64(n)))
	}
	p.tells(p.bad(bash("go build ./..."), 5), "failed 3 times with the same error")
	if got := p.s.Trips[0].Rule; got != "failing_repeats" {
		t.Errorf("rule %q", got)
	}
}

// Once told, and after an edit, the call may run again: a stubborn test could not
// be run for the rest of the turn.
func TestAfterAnEditItMayTryAgain(t *testing.T) {
	p := newPlay(t)
	for n := range 3 {
		p.quiet(p.bad(bash("go build ./..."), 5))
		p.quiet(p.ok(editOfFile(n), uint64(n)))
	}
	p.tells(p.bad(bash("go build ./..."), 5), "failed 3 times")
	for n := range 3 {
		p.quiet(p.ok(editOfFile(n+3), uint64(n)))
		p.quiet(p.bad(bash("go build ./..."), 5))
	}
	p.quiet(p.ok(editOfFile(7), 1))
	p.ends(p.bad(bash("go build ./..."), 5))

	p = newPlay(t)
	for n := range 3 {
		p.quiet(p.bad(bash("go build ./..."), 5))
		p.quiet(p.ok(editOfFile(n), uint64(n)))
	}
	p.tells(p.bad(bash("go build ./..."), 5), "failed 3 times")
	p.ends(p.bad(bash("go build ./..."), 5)) // with nothing changed
}

func TestAFailureThatChangesIsWork(t *testing.T) {
	p := newPlay(t)
	for n := range 12 {
		p.quiet(p.bad(bash("go build ./..."), uint64(n+1)))
		p.quiet(p.ok(editOfFile(n), uint64(n)))
	}
}

// T7: the same npm install, whose time-outs differ in their times only.
func TestTheSameTimeout(t *testing.T) {
	p := newPlay(t)
	p.quiet(p.bad(bash("npm install"), 9))
	p.quiet(p.bad(bash("npm install"), 9))
	p.tells(p.bad(bash("npm install"), 9), "3rd identical call")
}

// T37: a poll whose result changes goes on; one that stands still and does not
// wait is stopped; one that waits may stand still for long.
func TestPolls(t *testing.T) {
	p := newPlay(t)
	for n := range 50 {
		p.quiet(p.ok(bash("gh run view 1"), uint64(n+1)))
	}
	p = newPlay(t) // it moves from time to time
	for n := range 50 {
		p.quiet(p.ok(bash("gh run view 1"), uint64((n+1)/2+1)))
	}
	p = newPlay(t)
	p.quiet(p.ok(bash("gh run view 1"), 3))
	p.quiet(p.ok(bash("gh run view 1"), 3))
	p.tells(p.ok(bash("gh run view 1"), 3), "3rd identical call")

	for _, poll := range [][]call{{bash("sleep 60; gh run view 1")}, {bash("sleep 60"), bash("gh run view 1")}} {
		p = newPlay(t)
		for n := range 60 {
			for i, c := range poll {
				if got := p.ok(c, uint64(i+1)); got.Decision != harness.Pass {
					t.Fatalf("%v: round %d: %+v", poll, n+1, got)
				}
			}
		}
		p.tells(p.ok(poll[len(poll)-1], 9), "the same result 60 times")
	}
}

// A wait in quotes is no wait (T38), and a poll of something that moves may be
// waited for without end.
func TestWhatIsAWait(t *testing.T) {
	p := newPlay(t)
	echo := bash(`echo "sleep 5; wait"`)
	p.quiet(p.ok(echo, 1))
	p.quiet(p.ok(echo, 1))
	p.tells(p.ok(echo, 1), "3rd identical call")

	p = newPlay(t)
	for n := range 200 {
		p.quiet(p.ok(bash("sleep 30"), 1))
		p.quiet(p.ok(bash("tail -1 progress"), uint64(n/5+1)))
	}
	p = newPlay(t).off(JudgePolls, SameResultRepeats, FailingRepeats)
	for range 9 {
		p.quiet(p.ok(echo, 1)) // the word is enough for the Python guard
	}
}

// The same result again and again, with nothing but looking in between.
func TestTheSameResultWithNoEdit(t *testing.T) {
	looking := func(n int) call { return bash(fmt.Sprint("cat file", n)) }
	p := newPlay(t)
	for n := range 4 {
		p.quiet(p.ok(bash("git status"), 1))
		p.quiet(p.ok(looking(n), uint64(n)))
	}
	p.tells(p.ok(bash("git status"), 1), "the same result 4 times")

	p = newPlay(t) // an edit, or anything that may have changed something, in between
	for n := range 20 {
		p.quiet(p.ok(bash("git status"), 1))
		p.quiet(p.ok([]call{editOfFile(n), bash(fmt.Sprint("make ", n))}[n%2], 1))
	}
}

// T9, T45: calls that could not run never ask the hook; the end of the batch does.
func TestCallsThatCannotRun(t *testing.T) {
	p := newPlay(t)
	p.ok(bash("ls"), 1)
	question := Check{Call: harness.Call{Agent: "main", Event: harness.PostToolBatch}, Limits: p.limits, Now: noon}
	for n := range 3 {
		if got := p.s.AfterBatch(question); got.Decision != harness.Pass {
			t.Errorf("after %d: %+v", n, got)
		}
		e := harness.Event{Kind: harness.ToolCall, ID: fmt.Sprint("bad", n), Result: harness.Failed, Output: 1, Invalid: true}
		held := e
		held.Held = true
		p.counter.Add(held)
		p.counter.Add(e) // comes again, and counts once
	}
	p.ends(p.s.AfterBatch(question))
	if got := p.s.Streaks["main"]; got != 3 {
		t.Errorf("%d failures in a row", got)
	}
	p = newPlay(t)
	for n := range 12 {
		p.counter.Add(harness.Event{Kind: harness.ToolCall, ID: fmt.Sprint("bad", n), Result: harness.Failed, Invalid: true})
		if n%2 == 1 {
			p.ok(bash(fmt.Sprint("ls ", n)), 1)
		}
		if got := p.s.AfterBatch(question); got.Decision != harness.Pass {
			t.Errorf("with calls in between: %+v", got)
		}
	}
}

// A loop of edits whose text is not in the file asks no hook but the end of the
// batch (Claude Code 2.1.332).
func TestFailuresThatNoHookIsAskedAbout(t *testing.T) {
	p := newPlay(t)
	question := Check{Call: harness.Call{Agent: "main", Event: harness.PostToolBatch}, Limits: p.limits, Now: noon}
	for n := range 5 {
		if got := p.s.AfterBatch(question); got.Decision != harness.Pass {
			t.Errorf("after %d: %+v", n, got)
		}
		p.counter.Add(harness.Event{Kind: harness.ToolCall, ID: fmt.Sprint("edit", n), Tool: "Edit", Result: harness.Failed, Output: 1})
	}
	p.ends(p.s.AfterBatch(question))
	for n := range 9 { // a success in between ends the run
		p.counter.Add(harness.Event{Kind: harness.ToolCall, ID: fmt.Sprint("mixed", n), Tool: "Edit", Result: []harness.Result{harness.Failed, harness.Succeeded}[n/4%2]})
	}
	if got := p.s.AfterBatch(question); got.Decision != harness.Pass {
		t.Errorf("%+v", got)
	}
}

// Six edits of one response, after a formatter has changed the file: the agent
// has not read yet that they failed. Where the next response fails as well, it has.
func TestOneBatchOfCallsThatNoHookIsAskedAbout(t *testing.T) {
	for _, invalid := range []bool{false, true} {
		p := newPlay(t)
		question := Check{Call: harness.Call{Agent: "main", Event: harness.PostToolBatch, BatchSize: 6}, Limits: p.limits, Now: noon}
		fail := func(batch, calls int) {
			for n := range calls {
				p.counter.Add(harness.Event{Kind: harness.ToolCall, ID: fmt.Sprint(batch, "-", n), Tool: "Edit", Result: harness.Failed, Output: 1, Invalid: invalid})
			}
		}
		fail(1, 6)
		if got := p.s.AfterBatch(question); got.Decision != harness.Pass {
			t.Errorf("one batch: %+v", got)
		}
		fail(2, 1)
		question.Call.BatchSize = 1
		p.ends(p.s.AfterBatch(question))
	}
}

// Red-green work: failing tests whose output changes are no run of failures.
func TestTestsThatFailInNewWays(t *testing.T) {
	p := newPlay(t)
	for n := range 12 {
		p.quiet(p.bad(bash(fmt.Sprint("go test -run Test", n)), uint64(n+1)))
	}
	p = newPlay(t)
	for n := range 5 {
		p.quiet(p.bad(bash(fmt.Sprint("go test -count=", n)), 1))
	}
	if got := p.ok(bash("ls"), 1); got.Decision != harness.Ask {
		t.Errorf("five failures that say the same: %+v", got)
	}
	p = newPlay(t)
	for n := range 5 { // no tests: whatever they say, they fail
		p.quiet(p.bad(bash(fmt.Sprint("curl host", n)), uint64(n+1)))
	}
	if got := p.ok(bash("ls"), 1); got.Decision != harness.Ask {
		t.Errorf("five failing calls: %+v", got)
	}
}

// T37: what fails until it is there is a poll, whether the wait is in the same call
// or between two.
func TestAPollThatFailsUntilItWorks(t *testing.T) {
	for _, wait := range []string{"sleep 10; ", ""} {
		p := newPlay(t)
		p.limits.FailureStreak = 0
		for n := range 20 {
			p.quiet(p.bad(bash(wait+"curl -sf http://localhost:8080/health"), 7))
			if wait == "" {
				p.quiet(p.ok(bash("sleep 10"), uint64(n+1)))
			}
		}
	}
	p := newPlay(t)
	p.limits.FailureStreak = 0
	p.bad(bash("npm run deploy"), 7)
	p.ok(bash("sleep 10"), 1)
	for n := range 3 { // those after the wait count
		p.quiet(p.bad(bash("npm run deploy"), 7))
		p.quiet(p.ok(editOfFile(n), uint64(n)))
	}
	p.tells(p.bad(bash("npm run deploy"), 7), "it failed 3 times")
}

// T3: where nobody can answer, a question is a stop.
func TestNobodyIsAsked(t *testing.T) {
	p := newPlay(t)
	p.alone = true
	for n := range 5 {
		p.bad(bash(fmt.Sprint("curl host", n)), uint64(n+1))
	}
	p.ends(p.ok(bash("ls"), 1))
	p = newPlay(t).off(Unattended)
	p.alone = true
	for n := range 5 {
		p.bad(bash(fmt.Sprint("curl host", n)), uint64(n+1))
	}
	if got := p.ok(bash("ls"), 1); got.Decision != harness.Ask {
		t.Errorf("without the rule: %+v", got)
	}
}

// T5: forty subagents in one batch: a message at ten, a stop at the limit.
func TestFanout(t *testing.T) {
	p := newPlay(t)
	p.limits.Rules[FanoutStop] = 30
	for n := 1; n <= 40; n++ {
		got := p.do(call{"Agent", fmt.Sprintf(`{"prompt":"%d"}`, n)}, harness.Pending, 0)
		if (got.Message != "") != (n == 10 || n > 30) || (got.Decision == harness.Deny) != (n > 30) || got.EndTurn != (n > 31) {
			t.Errorf("subagent %d: %+v", n, got)
		}
	}
	p.s.Agents.find("main").Prompt = "" // the next prompt
	p.s.SpawnPrompt = "another"
	p.quiet(p.do(call{"Agent", `{"prompt":"new"}`}, harness.Pending, 0))
}

// The user's words, put into a prompt that is typed later, or for another agent.
func TestAnAgentSchedulesTheUsersWords(t *testing.T) {
	for input, want := range map[string]bool{
		`{"cron":"* * * * *","prompt":"checkrein guard allow"}`:   true,
		`{"delaySeconds":60,"prompt":" Checkrein guard reset\n"}`: true,
		`{"to":"a","message":"checkrein guard allow --usd 50"}`:   true,
		`{"prompt":"what does checkrein guard allow do?"}`:        false,
		`{"pattern":"checkrein guard allow"}`:                     false,
	} {
		c := checkOf("CronCreate")
		c.Call.Input = []byte(input)
		got := New("s", harness.ClaudeCode, noon).Decide(c)
		if (got.Decision == harness.Deny) != want {
			t.Errorf("%s: %+v", input, got)
		}
		c.Limits.Rules[Protect] = 0
		if got := New("s", harness.ClaudeCode, noon).Decide(c); got.Decision != harness.Pass {
			t.Errorf("%s, without the rule: %+v", input, got)
		}
	}
}

// What the user allowed stays allowed, however often they allow more.
func TestManyAllowancesAddUp(t *testing.T) {
	s, l := New("s", harness.ClaudeCode, noon), Defaults()
	l.Rules[MonthCapUSD] = 100
	b := Budget{Month: Used{USD: 100, Key: "month 2026-11-01"}}
	for n := range 30 {
		s.Allow(l, b, 5)
		if s.Over(l, b) {
			t.Fatalf("still stopped after allowance %d", n+1)
		}
		b.Month.USD += 5
		if !s.Over(l, b) {
			t.Fatalf("not stopped after allowance %d is used up", n+1)
		}
	}
}

// Claude Code before 2.1.196 gives prompts no ids: each is a turn of its own all
// the same.
func TestSubagentsOfManyPromptsWithoutIDs(t *testing.T) {
	s, c := New("s", harness.ClaudeCode, noon), checkOf("Task", agentCalled("main"))
	c.Call.Prompt = ""
	for n := range 60 {
		if n%10 == 0 {
			prompt := c
			prompt.Call = harness.Call{Event: harness.UserPromptSubmit, Agent: "main"}
			s.Refuse(prompt)
		}
		c.Call.Input = []byte(fmt.Sprintf(`{"prompt":"%d"}`, n))
		if got := s.Decide(c); got.Decision != harness.Pass {
			t.Fatalf("subagent %d: %+v", n, got)
		}
	}
}

// T4: agents that start agents that start agents.
func TestNestedAgents(t *testing.T) {
	for level, want := range []harness.Decision{harness.Pass, harness.Pass, harness.Pass, harness.Deny, harness.Deny} {
		s := New("s", harness.ClaudeCode, noon)
		c := checkOf("Agent", agentCalled("a"))
		c.Call.Sub, c.Call.Level = level > 0, level
		if got := s.Decide(c); got.Decision != want {
			t.Errorf("level %d: %+v", level, got)
		}
	}
}

// Of subagents side by side each is told before its turn is ended.
func TestEachAgentIsToldOfTheLevelFirst(t *testing.T) {
	s := New("s", harness.ClaudeCode, noon)
	for try, ends := range []bool{false, true} {
		for _, name := range []string{"a", "b", "c"} {
			c := checkOf("Agent", agentCalled(name))
			c.Call.Sub, c.Call.Level = true, 3
			if got := s.Decide(c); got.Decision != harness.Deny || got.EndTurn != ends {
				t.Errorf("agent %s, try %d: %+v", name, try+1, got)
			}
		}
	}
}

// T34: forty edits of different files, also with the same name of a tool.
func TestManyEdits(t *testing.T) {
	p := newPlay(t)
	for n := range 40 {
		p.quiet(p.ok(call{"Edit", fmt.Sprintf(`{"file_path":"f%d"}`, n)}, 1))
	}
}

// T42, T43.
func TestPace(t *testing.T) {
	pay := func(p *play, usd float64) {
		p.counter.Add(harness.Event{Kind: harness.Response, Time: p.now, Model: "claude-haiku-4-5", Usage: harness.Usage{Input: int64(usd * 1e6)}})
	}
	p := newPlay(t)
	p.limits.SpendCapUSD = 0
	pay(p, 4)
	if got := p.ok(bash("ls"), 1); got.Message != "" {
		t.Errorf("at $4: %+v", got)
	}
	pay(p, 1)
	if got := p.ok(bash("ls x"), 1); !strings.Contains(got.Message, "since its last edit or commit") {
		t.Errorf("at $5: %+v", got)
	}
	pay(p, 4.9)
	if got := p.ok(bash("ls y"), 1); got.Message != "" {
		t.Errorf("once: %+v", got)
	}
	pay(p, 0.2)
	if got := p.ok(editOfFile(1), 1); !strings.Contains(got.Message, "$10.10 within the last 5 minutes") || strings.Contains(got.Message, "edit or commit") {
		t.Errorf("at $10.10: %+v", got)
	}
	p.now = p.now.Add(6 * time.Minute)
	p.counter.Now = p.now
	pay(p, 4)
	if got := p.ok(bash("ls z"), 1); got.Message != "" {
		t.Errorf("slowly, after an edit: %+v", got)
	}
}
