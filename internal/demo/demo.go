// Package demo plays a scripted agent session through the real hook: one
// process a call, started as a harness starts it, with the input a harness
// sends and a transcript that grows as one of Claude Code's. Only the agent is
// made up.
//
// It needs no account and no network, and works in a temporary folder that it
// removes. Since every call says what should come of it, the demo is a
// self-check as well.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Options are what a showing takes from its caller.
type Options struct {
	Program string      // path of checkrein
	Env     []string    // environment to start it in; the settings of a guard are left out
	Emit    func(Event) // gets every event as it happens
	Pause   func()      // called after each call; nil plays without pauses
}

// ErrUnexpected says that a call did not end as the script expects.
var ErrUnexpected = errors.New("the guard did not answer as it should")

// Kinds of events.
const (
	KindChapter = "chapter"
	KindCall    = "call"
	KindCommand = "command" // the user types a command in a terminal
	KindPrompt  = "prompt"  // the user types a prompt for the guard
	KindEnd     = "end"
)

// Event is one thing that happened, as `guard demo --json` prints it.
type Event struct {
	Schema   int     `json:"schema"` // 1
	Kind     string  `json:"event"`
	Chapter  string  `json:"chapter,omitzero"` // quiet, loop, failures, spend, allow
	Title    string  `json:"title,omitzero"`
	Tool     string  `json:"tool,omitzero"`
	Input    string  `json:"input,omitzero"`    // the telling part of the tool's input, or the command typed
	Expected Outcome `json:"expected,omitzero"` // of a call
	Outcome  Outcome `json:"outcome,omitzero"`
	Text     string  `json:"text,omitzero"`      // what the guard said to the agent or the user, or what a command printed
	SpentUSD float64 `json:"spent_usd,omitzero"` // counted since the start, after the call
	Millis   float64 `json:"ms,omitzero"`        // how long the hook took; of the end, the median
	Calls    int     `json:"calls,omitzero"`     // of the end
	Wrong    int     `json:"wrong"`              // calls and commands so far that ended in another way than expected
}

// Run plays the whole script. It is [ErrUnexpected] when a call ended in
// another way than the script says.
func Run(ctx context.Context, o Options) error {
	root, err := os.MkdirTemp("", "checkrein-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo: %w", err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	s, err := newSession(filepath.Join(root, "home"))
	if err != nil {
		return fmt.Errorf("preparing the demo: %w", err)
	}
	p := &player{ctx: ctx, Options: o, session: s, program: program{ctx, o.Program, s.environ(o.Env), s.project}}
	if err := p.play(story()); err != nil {
		return err
	}
	if p.wrong > 0 {
		return ErrUnexpected
	}
	return nil
}

type player struct {
	ctx context.Context
	Options
	session *session
	program program
	chapter string
	took    []time.Duration
	wrong   int
}

func (p *player) play(chapters []chapter) error {
	for _, c := range chapters {
		p.chapter = c.name
		p.emit(Event{Kind: KindChapter, Title: c.title})
		if c.prompt != "" {
			if err := p.session.prompt(c.prompt); err != nil {
				return err
			}
		}
		for _, s := range c.steps {
			if err := p.step(s); err != nil {
				return err
			}
			if p.Pause != nil {
				p.Pause()
			}
		}
	}
	p.chapter = ""
	p.emit(Event{Kind: KindEnd, Calls: len(p.took), Millis: median(p.took)})
	return nil
}

func (p *player) emit(e Event) {
	e.Schema, e.Chapter, e.Wrong = 1, p.chapter, p.wrong
	p.Emit(e)
}

func (p *player) step(s step) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	switch {
	case len(s.command) > 0:
		return p.command(s)
	case s.typed != "":
		return p.typed(s)
	}
	return p.call(s)
}

// typed sends a prompt that is meant for the guard, which must not let it go on to
// the model.
func (p *player) typed(s step) error {
	input, err := p.session.typed(s.typed)
	if err != nil {
		return err
	}
	printed, err := p.program.run(input, "guard", "hook", "--harness", "claude-code")
	said := readStop(printed)
	if err != nil || said == "" {
		p.wrong++
	}
	p.emit(Event{Kind: KindPrompt, Input: s.typed, Text: said})
	return p.ctx.Err()
}

// command types one of checkrein's own commands, as the user would.
func (p *player) command(s step) error {
	printed, err := p.program.run(nil, s.command...)
	if err != nil {
		p.wrong++
		printed += err.Error()
	}
	p.emit(Event{Kind: KindCommand, Input: commandLine(s.command), Text: printed})
	return p.ctx.Err()
}

// call lets the agent answer with one tool call, asks the hook, and writes the
// call's result as the harness would.
func (p *player) call(s step) error {
	id, input, err := p.session.call(s)
	if err != nil {
		return err
	}
	start := time.Now()
	printed, err := p.program.run(input, "guard", "hook", "--harness", "claude-code")
	p.took = append(p.took, time.Since(start))
	if err != nil { // a hook that fails would let the call through, or block it with status 2
		printed = ""
		p.wrong++
	}
	a := read(printed)
	if a.outcome != s.want {
		p.wrong++
	}
	if err := p.session.result(id, s, a); err != nil {
		return err
	}
	p.emit(Event{
		Kind: KindCall, Tool: s.tool, Input: s.input, Expected: s.want, Outcome: a.outcome, Text: a.text,
		SpentUSD: p.program.spent(), Millis: millis(p.took[len(p.took)-1]),
	})
	return p.ctx.Err()
}
