package replay

import (
	"fmt"
	"time"

	"checkrein/internal/command"
	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/limits"
	"checkrein/internal/price"
	"checkrein/internal/state"
)

// player plays one session.
type player struct {
	*run
	from    *session
	traits  []harness.Traits // by which the protection knows agents
	root    string           // the project that it pays for
	s       *guard.Session
	limits  guard.Limits
	counter *guard.Counter
	tracks  map[*lane]*track
	at      time.Time
	calls   int
	prompts int
	ended   time.Time
	played  Played
	open    map[string]int // index of the stop that a rule, an agent and a prompt have already
}

// track is what the hook has seen of one file.
type track struct {
	*lane
	file     *guard.File
	response *harness.Event  // the newest: it counts once it is complete
	calls    []harness.Event // of it
	called   time.Time       // when the latest was
	prompts  int
}

func newPlayer(r *run, from *session, rec recording) *player {
	l := r.limits(from.project)
	s := guard.New(from.id, from.Name, from.began)
	s.Limits = l
	p := &player{run: r, from: from, traits: registry.Traits(), s: s, limits: l, tracks: map[*lane]*track{}, open: map[string]int{}}
	if r.paid != nil {
		p.root = state.ProjectRoot(from.project)
	}
	p.counter = guard.NewCounter(s, func() *price.Table { return r.prices }, func() guard.Shared { return r.owners }, true)
	p.counter.Forks = from.Adapter.Forks
	for _, l := range rec.lanes {
		p.tracks[l] = &track{lane: l, file: &guard.File{Agent: l.agent}}
	}
	return p
}

// step takes one event as the hook would meet it.
func (p *player) step(m moment) {
	t := p.tracks[m.lane]
	p.ended = m.at
	p.s.Visit(t.agent)
	if m.event.Kind == harness.Response && len(t.calls) > 0 {
		p.now(t.called.Add(time.Millisecond)) // the batch is over before the next response is asked for
		p.complete(t, true)
	}
	p.now(m.at)
	switch m.event.Kind {
	case harness.Response:
		p.complete(t, true)
		p.began(t, m.event)
	case harness.ToolCall:
		p.call(t, m.event)
	case harness.Prompt:
		p.complete(t, false)
		p.prompt(t)
		p.add(t, m.event)
	default:
		p.complete(t, false)
		p.add(t, m.event)
	}
}

func (p *player) now(at time.Time) {
	p.at = at.In(p.o.Zone)
	p.counter.Now = p.at
}

// began notes a response.
func (p *player) began(t *track, e harness.Event) {
	if p.from.PaidFirst {
		p.add(t, e)
		return
	}
	t.response = &e
}

// complete counts the newest response of a file and how its calls ended, and asks
// what is asked between two responses.
func (p *player) complete(t *track, goesOn bool) {
	if t.response != nil {
		p.add(t, *t.response)
	}
	if goesOn && len(t.calls) > 0 && p.from.Batches {
		c := p.check(p.hookCall(t, harness.PostToolBatch, harness.Event{}))
		c.Call.BatchSize = len(t.calls)
		p.judge(c, t, p.s.AfterBatch(c), t.calls[len(t.calls)-1])
	}
	for _, e := range t.calls {
		p.add(t, e)
	}
	t.response, t.calls = nil, t.calls[:0]
}

// call asks about a call, and tells how it ended: what it gave is known at once,
// whether it failed counts with its response.
func (p *player) call(t *track, e harness.Event) {
	p.calls++
	t.called = p.at
	if !e.Invalid && p.from.Hooked(e) {
		c := p.check(p.hookCall(t, harness.PreToolUse, e))
		if c.Call.Sub && guard.StartsAgent(c.Call.Short) {
			c.Call.Level = p.from.Adapter.Level(c.Call)
		}
		if _, again := p.s.Recall(c.Call, p.at); !again {
			p.judge(c, t, p.s.Decide(c), e)
		}
	}
	t.calls = append(t.calls, e)
	e.Held = true
	p.add(t, e)
}

// prompt asks as at a typed prompt, which subagents have none of.
func (p *player) prompt(t *track) {
	t.prompts++
	if t.sub {
		return
	}
	p.prompts++
	c := p.check(p.hookCall(t, harness.UserPromptSubmit, harness.Event{}))
	p.judge(c, t, p.s.Refuse(c), harness.Event{})
}

func (p *player) add(t *track, e harness.Event) {
	before := p.s.TotalUSD()
	p.counter.Begin(t.file, "")
	p.counter.Add(e)
	if p.paid != nil {
		p.paid.add(p.at, p.root, p.s.TotalUSD()-before)
	}
}

// hookCall is what the harness would have told the hook.
func (p *player) hookCall(t *track, event string, e harness.Event) harness.Call {
	in := harness.Input{
		Event: event, Session: p.from.id, Transcript: p.from.logs[0].Path, Dir: p.from.project,
		PromptID: p.promptID(t), ToolUseID: e.ID, Tool: e.Tool,
	}
	if e.Detail != nil {
		in.ToolInput = e.Detail.Input
	}
	if p.from.PerAgent {
		in.Transcript = t.path
	}
	call := p.from.Adapter.NewCall(in)
	call.Agent, call.Sub = t.agent, t.sub
	return call
}

// promptID changes with each prompt that was typed.
func (p *player) promptID(t *track) string {
	if p.from.PerAgent {
		return fmt.Sprint(t.agent, " ", t.prompts)
	}
	return fmt.Sprint("prompt ", p.prompts)
}

func (p *player) check(call harness.Call) guard.Check {
	c := guard.Check{
		Call: call, Limits: p.limits, Asks: p.from.Adapter.Asks, Now: p.at, Program: "checkrein", Alone: p.from.alone,
		Guarded: command.Guarded{Program: "checkrein", Folders: []string{p.o.StateDir}, Names: []string{limits.Name}, Harnesses: p.traits},
	}
	if p.paid != nil && p.paid.settled {
		c.Budget = p.paid.at(p.at, p.root)
	}
	return c
}
