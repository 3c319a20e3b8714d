package hook

import (
	"errors"
	"path/filepath"
	"time"

	"checkrein/internal/command"
	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/limits"
)

// visit judges one hook call with its session's state.
func visit(c *check) ([]byte, error) {
	s, existed, err := c.store.Load(c.call.Session)
	if err != nil { // a newer release's file: not ours to change
		return nil, nil
	}
	unread := s != nil && s.Unread()
	if s == nil {
		s = guard.New(c.call.Session, c.Name, c.now)
		s.Installed = c.store.Installed()
		c.store.Prune(c.call.Session, c.now)
	}
	c.s = s
	if c.before() {
		if answer, ok := s.Recall(c.call, c.now); ok {
			return c.Answer(answer, c.call.Event), nil
		}
		s.Visit(c.call.Agent)
	}
	s.Limits, c.sources = limits.Load(c.env.Getenv, c.store.Dir, c.project())
	var failed error
	if !c.held() {
		c.await()
		failed = errors.Join(c.catchUp(existed, unread), c.awaitResult())
	}
	answer := c.judge()
	s.Updated = guard.Stamp(c.now)
	return c.Answer(answer, c.call.Event), errors.Join(failed, c.store.Save(s))
}

// before tells whether a tool call waits for the answer.
func (c *check) before() bool { return c.call.Event == harness.PreToolUse }

// held tells whether a stop holds that the state alone shows: a call more needs
// no reading then, however large the transcripts are.
func (c *check) held() bool {
	return c.before() && c.s.Limits.On(guard.HoldStops) && c.s.Over(c.s.Limits, c.budget())
}

// catchUp reads what the transcripts gained. A session that is met late starts
// from what it has spent, where the guard was not there before.
func (c *check) catchUp(existed, unread bool) error {
	late := !existed || c.s.CountedByAnother()
	counter, err := c.read()
	if late {
		c.s.WorkFromHere()
	}
	var used float64
	switch {
	case !existed:
		used = c.s.Spent()
	case unread: // a fork: its copy is written after the hook of its first prompt
		used = counter.Older()
	}
	if used > 0 && c.forgives(counter.First) {
		c.s.BaselineTokensNow()
		c.s.Baseline(used, c.s.Limits.SpendCapUSD, c.call.Tool, c.now)
	}
	return errors.Join(err, c.pay())
}

// forgives tells whether a session that is met over its cap is older than the
// guard. Else somebody has deleted its state, which is no way out of a stop.
func (c *check) forgives(first time.Time) bool {
	return !c.s.Limits.On(guard.Protect) || !first.IsZero() && first.Unix() < c.s.Installed
}

// judge is the answer to the call's event.
func (c *check) judge() harness.Answer {
	switch c.call.Event {
	case harness.PreToolUse:
		if c.call.Sub && guard.StartsAgent(c.call.Short) {
			c.call.Level = c.Level(c.call)
		}
		return c.s.Decide(c.question())
	case harness.UserPromptSubmit:
		if word, ok := c.typed(); ok {
			return c.obey(word)
		}
		return c.s.Refuse(c.question())
	case harness.PostToolBatch:
		return c.s.AfterBatch(c.question())
	}
	return harness.Answer{}
}

// question is all that a decision depends on besides the session.
func (c *check) question() guard.Check {
	return guard.Check{
		Call: c.call, Limits: c.s.Limits, Sources: c.sources, Asks: c.Asks, Now: c.now,
		Program: c.env.Program, File: filepath.Join(c.store.Dir, limits.Name),
		Plain: guard.AsReference(c.env.Getenv), Budget: c.budget(),
		Alone: c.Alone(c.call, c.env.Getenv),
		Guarded: command.Guarded{
			Program: "checkrein", Folders: []string{c.store.Dir}, Names: []string{limits.Name},
			Files: c.env.Files, Dir: c.call.Dir, Harnesses: c.env.Harnesses,
		},
	}
}
