package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// recording is a session that a real CLI wrote.
type recording struct {
	name  string
	calls int
	stops []stop
}

// scripted is what a recording's script has in it on purpose.
type scripted struct{ stops, what string }

// looping are the recordings whose script has a loop, and what must find it.
func looping() map[string]scripted {
	echo := scripted{"loop_repeats at call 3", "`echo hi` four times"}
	return map[string]scripted{
		"claudecode full": echo, "claudecode full-2.1.197": echo, "codex full": echo,
		"claudecode invalid-calls": {"invalid_calls at call 3, failure_streak at call 9", "calls that are none, one after the other"},
		"codex invalid-calls":      {"failure_streak at call 11", "calls that are none, one after the other"},
	}
}

// recordings plays the sessions in the testdata folders of the harnesses.
func recordings(work, root string) (list []recording, err error) {
	for _, from := range []struct{ cases, to string }{
		{"claudecode/testdata/transcripts", ".claude/projects/-home-dev-project"},
		{"codex/testdata/rollouts", ".codex/sessions/2026/11/30"},
	} {
		cases, err := os.ReadDir(filepath.Join(root, from.cases))
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			home := filepath.Join(work, "recorded", from.cases, c.Name())
			if err := os.CopyFS(filepath.Join(home, from.to), os.DirFS(filepath.Join(root, from.cases, c.Name()))); err != nil {
				return nil, err
			}
			harness, _, _ := strings.Cut(from.cases, "/")
			r := recording{name: harness + " " + c.Name()}
			played, err := replayed(home)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			for _, p := range played {
				r.calls += p.Calls
				r.stops = append(r.stops, stopsOf(p)...)
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// work is what came of ordinary sessions in one harness's form.
type ordinaries struct {
	harness  string
	sessions int
	calls    int
	asked    int      // calls that went through the hook
	stops    []string // what must not be
}

// ordinarySessions is how many are made in the form of each harness, and
// throughHook how many of them go through the hook, too, which takes longer.
const ordinarySessions, throughHook = 200, 8

func playOrdinary(work, harness string) (o ordinaries, err error) {
	home := filepath.Join(work, "ordinary-"+harness)
	o.harness = harness
	for n := range uint64(ordinarySessions) {
		s := newStage(home, fmt.Sprintf("ordinary-%d", n), startOf().AddDate(0, 0, -int(n%28)))
		var ask asked
		if h := (&hooked{home: home, harness: harness, stage: s, id: s.id}); n < throughHook {
			ask = func(number int, in map[string]any) {
				h.ask(number, in)
				o.asked++
			}
			defer func() { o.stops, err = append(o.stops, h.said...), errors.Join(err, h.err) }()
		}
		if err := s.tell(ordinary(n), s.form(harness), ask); err != nil {
			return o, err
		}
	}
	played, err := replayed(home)
	o.sessions = len(played)
	for _, p := range played {
		o.calls += p.Calls
		for _, s := range p.Stops {
			o.stops = append(o.stops, fmt.Sprintf("%s %s: %s stops call %d (%s, %s), %s:%d", harness, p.Session, s.Rule, s.Call, s.Tool, s.Detail, s.File, s.Line))
		}
	}
	return o, err
}
