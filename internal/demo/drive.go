package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// RunDrive shows the test drive: the four commands, typed one after the other,
// on a small repository made for it, with two scripted stand-ins in the agents'
// places. The commands, the copies, the tests and the verdicts are real; the
// stand-ins' edits and dollars are made up. It is [ErrUnexpected] when the
// scoreboard is not the one that the script makes.
func RunDrive(ctx context.Context, o Options) error {
	root, err := os.MkdirTemp("", "checkrein-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo: %w", err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	env := standInEnviron(root, o.Env)
	if err := makeShop(ctx, filepath.Join(root, "shop"), env); err != nil {
		return fmt.Errorf("making the demo's repository: %w", err)
	}
	if err := makeStandIns(root); err != nil {
		return fmt.Errorf("making the demo's stand-ins: %w", err)
	}
	p := &player{ctx: ctx, Options: o, program: program{ctx, o.Program, env, filepath.Join(root, "shop")}}
	return p.drive()
}

// drivePart is one command of the showing, with what its report must say.
type drivePart struct {
	title   string
	command []string
	says    []string
}

func driveParts() []drivePart {
	return []drivePart{
		{
			"Mine: past commits whose tests fail before them and pass after.",
			[]string{"drive", "mine", "--validate", "--test-cmd", "sh tests/run.sh"},
			[]string{"Found 3 tasks"},
		},
		{
			"Estimate: what the runs may cost, before anything is spent.",
			[]string{"drive", "estimate", "--harness", "claude-code,codex"},
			[]string{"6 runs"},
		},
		{
			"Run: each agent on each task, in fresh copies, under a cap.",
			[]string{"drive", "run", "--harness", "claude-code,codex", "--max-usd", "20"},
			[]string{"On 3 tasks"},
		},
		{
			"Report: the scoreboard again, at any time.",
			[]string{"drive", "report"},
			[]string{"Claude Code passed 2 at $0.60 each", "Codex passed 2 at $0.42 each"},
		},
	}
}

func (p *player) drive() error {
	for _, part := range driveParts() {
		p.emit(Event{Kind: KindChapter, Title: part.title})
		printed, err := p.program.run(nil, part.command...)
		if err != nil {
			p.wrong++
			printed += err.Error()
		}
		for _, words := range part.says {
			if !strings.Contains(printed, words) {
				p.wrong++
			}
		}
		p.emit(Event{Kind: KindCommand, Input: commandLine(part.command), Text: printed})
		if err := p.ctx.Err(); err != nil {
			return err
		}
	}
	p.emit(Event{Kind: KindEnd})
	if p.wrong > 0 {
		return ErrUnexpected
	}
	return nil
}
