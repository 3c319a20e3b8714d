package main

import (
	"fmt"
)

// loop is a story with a loop in it.
type loop struct {
	name  string
	rule  string
	limit int    // the call by which it must be stopped, counted from the first one of the loop
	only  string // the one harness that can meet it; "" for both
	codex string // the rule that stops it in Codex, where that is another one
	story
}

// before is ordinary work in front of each loop: a stop counts from after it.
func (s *story) before() {
	s.ask()
	s.say(reads("main.go"))
	s.say(edits("main.go", 1))
	s.say(run("git status --short", " M main.go"))
}

// warmUp is how many calls that is.
const warmUp = 3

func planted() []loop {
	list := append(circles(), results()...)
	return append(append(list, failures()...), fans()...)
}

func tell(name, rule string, limit int, write func(s *story)) loop {
	l := loop{name: name, rule: rule, limit: limit}
	l.before()
	write(&l.story)
	return l
}

// period is n calls that take turns, one a message, often enough.
func period(n, times int) loop {
	name := fmt.Sprintf("%d calls that take turns, one call a message (T36)", n)
	return tell(name, "loop_cycles", 3*n, func(s *story) {
		for i := range n * times {
			s.say(run(fmt.Sprintf("make step%d", i%n), fmt.Sprintf("step %d done", i%n)))
		}
	})
}

func circles() []loop {
	same := run("go build ./...", "ok")
	return []loop{
		tell("the same call, several in a message", "loop_repeats", 3, func(s *story) { s.say(same, same, same, same) }),
		tell("the same call, one call a message (T36)", "loop_repeats", 3, func(s *story) { s.each(same, same, same, same) }),
		tell("the same search with the same useless result (T6)", "loop_repeats", 3, func(s *story) {
			for range 8 {
				s.say(call{kind: glob, text: "**/*.config.ts", result: "No files found"})
			}
		}),
		tell("two files read in turn", "loop_repeats", 6, func(s *story) {
			for range 4 {
				s.each(reads("a.go"), reads("b.go"))
			}
		}).inCodex("loop_cycles"), // which reads with commands
		period(2, 4), period(3, 4), period(4, 4), period(5, 4),
	}
}

func results() []loop {
	poll := "gh run view 81 --json status"
	return []loop{
		tell("a poll without a wait whose result stays the same (T37)", "loop_repeats", 3, func(s *story) {
			for range 5 {
				s.say(run(poll, `{"status":"queued"}`))
			}
		}),
		tell("such a poll with words about waiting in it (T38)", "loop_repeats", 3, func(s *story) {
			for range 5 {
				s.say(run(`echo "sleep 5; wait"; `+poll, `sleep 5; wait {"status":"queued"}`))
			}
		}),
		tell("the same result again and again, with other calls in between", "same_result_repeats", 9, func(s *story) {
			for i := range 8 {
				s.say(run(poll, `{"status":"queued"}`))
				s.say(reads(fmt.Sprintf("pkg/file%d.go", i)), run(fmt.Sprintf("git log -1 --format=%%h~%d", i), fmt.Sprint("commit ", i)))
			}
		}).within(5 * 3),
		tell("a poll with a real wait whose result never changes (T37)", "poll_repeats", 61, func(s *story) {
			for range 64 {
				s.say(run("sleep 30; "+poll, `{"status":"queued"}`))
			}
		}),
	}
}

func (l loop) inCodex(rule string) loop {
	l.codex = rule
	return l
}

func (l loop) ruleIn(harness string) string {
	if harness == "codex" && l.codex != "" {
		return l.codex
	}
	return l.rule
}

// within sets another limit, for loops with calls in between.
func (l loop) within(limit int) loop {
	l.limit = limit
	return l
}

func failures() []loop {
	install := func(n int) call {
		return fails("npm install", fmt.Sprintf("Command timed out after 2m %d.%ds\nnpm warn idle for %d ms", n, n, 1200+17*n))
	}
	broke := func(n int) call {
		return fails("go vet ./...", fmt.Sprintf("main.go:%d:%d: undefined: frob", 10+n, 2+n))
	}
	return []loop{
		tell("a call that always times out, each time a little later (T7)", "loop_repeats", 3, func(s *story) {
			for n := range 6 {
				s.say(install(n))
			}
		}),
		tell("the same failing call with edits in between (T8)", "failing_repeats", 7, func(s *story) {
			for n := range 6 {
				s.each(broke(n), edits("main.go", 10+n))
			}
		}),
		tell("calls that fail, each another one", "failure_streak", 6, func(s *story) {
			for n := range 9 {
				s.say(fails(fmt.Sprintf("cat missing%c.txt", 'a'+n), fmt.Sprintf("cat: missing%c.txt: No such file or directory", 'a'+n)))
			}
		}),
		tell("edits whose text is not in the file", "failure_streak", 6, func(s *story) {
			for n := range 7 {
				s.say(call{kind: edit, text: "main.go", n: 40 + n, end: failed, result: "String to replace not found in file."})
			}
		}),
		claudeOnly(tell("a tool that there is not (T9)", "invalid_calls", 3, func(s *story) {
			for range 5 {
				s.say(call{kind: unknown, text: "ask_oracle"})
			}
		})),
		claudeOnly(tell("malformed arguments (T45)", "invalid_calls", 3, func(s *story) {
			for n := range 5 {
				s.say(call{kind: broken, text: fmt.Sprintf("file%d.go", n)})
			}
		})),
	}
}

// claudeOnly: only Claude Code runs a hook after calls that were none.
func claudeOnly(l loop) loop {
	l.only = "claude-code"
	return l
}

func fans() []loop {
	return []loop{
		tell("dozens of subagents in one message (T5)", "fanout_stop", 41, func(s *story) {
			var all []call
			for n := range 45 {
				all = append(all, starts(fmt.Sprintf("look at part %d", n)))
			}
			s.say(all...)
		}),
		tell("subagents that start subagents (T4)", "nested_agents", 4, func(s *story) {
			s.say(starts("first"))
			for _, a := range []string{"a1", "a2", "a3"} {
				s.by(a, starts("below "+a))
			}
		}),
		tell("a subagent that repeats itself", "loop_repeats", 4, func(s *story) {
			s.say(starts("look"))
			for range 4 {
				s.by("a1", run("make check", "nothing to do"))
			}
		}),
	}
}
