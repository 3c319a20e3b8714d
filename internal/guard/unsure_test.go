package guard

import (
	"fmt"
	"testing"

	"checkrein/internal/harness"
)

// next is a call that is about to be decided.
func (p *play) next(c call) harness.Call {
	return harness.Call{Agent: p.agent, Prompt: "p", Tool: c[0], Input: []byte(c[1])}
}

// Only a result that decides is worth a wait.
func TestUnsure(t *testing.T) {
	a, b, pending := bash("make a"), bash("make b"), harness.Pending
	edit := func(p *play) { p.ok(editOfFile(p.n), uint64(p.n)) }
	failing := func(p *play, last harness.Result) {
		for _, r := range []harness.Result{harness.Failed, harness.Failed, last} {
			p.do(a, r, 7)
			edit(p)
		}
	}
	turns := func(p *play, last harness.Result) {
		for range 2 {
			p.ok(a, 1)
			p.ok(b, 2)
		}
		p.do(a, last, 1)
	}
	for name, c := range map[string]struct {
		play func(p *play)
		next call
		want bool
	}{
		"nothing before":                 {func(*play) {}, a, false},
		"a third failure to come":        {func(p *play) { failing(p, pending) }, a, true},
		"a third failure to come of it":  {func(p *play) { failing(p, pending) }, b, false},
		"a third failure that came":      {func(p *play) { failing(p, harness.Failed) }, a, false},
		"a second failure to come":       {func(p *play) { p.bad(a, 7); edit(p); p.do(a, pending, 0); edit(p) }, a, false},
		"a turn's result to come":        {func(p *play) { turns(p, pending) }, b, true},
		"a turn's result that came":      {func(p *play) { turns(p, harness.Succeeded) }, b, false},
		"no turn":                        {func(p *play) { turns(p, pending) }, bash("make c"), false},
		"a repeat's result to come":      {func(p *play) { p.ok(a, 1); p.do(a, pending, 0) }, a, true},
		"a first repeat's":               {func(p *play) { p.do(a, pending, 0) }, a, false},
		"a repeat of what was blocked":   {func(p *play) { p.ok(a, 1); p.ok(a, 1); p.do(a, pending, 0) }, a, false},
		"the same result again, to come": {func(p *play) { unchanging(p, pending) }, a, true},
		"the same result again":          {func(p *play) { unchanging(p, harness.Succeeded) }, a, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay(t)
			c.play(p)
			if got := p.s.Unsure(p.next(c.next)); got != c.want {
				t.Errorf("got %v", got)
			}
			p.s.Limits.Rules, p.s.Limits.LoopRepeats = Rules{}, 3
			if p.s.Unsure(p.next(c.next)) {
				t.Error("the Python guard waits for nothing")
			}
		})
	}
}

// unchanging gives one result four times, with something else in between.
func unchanging(p *play, last harness.Result) {
	for n, r := range []harness.Result{harness.Succeeded, harness.Succeeded, harness.Succeeded, last} {
		p.do(bash("make a"), r, 1)
		p.ok(bash(fmt.Sprint("cat ", n)), uint64(10+n))
	}
}
