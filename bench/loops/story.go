package main

import (
	"fmt"
	"time"
)

// story is what happens in a session, in words that no harness has: prompts, and
// responses of the model with their calls.
type story struct {
	steps []step
}

// step is a prompt, or a response of an agent.
type step struct {
	prompt bool
	agent  string // "" is the main one
	calls  []call
	gap    time.Duration // before it
}

// call is one tool call and what it gave.
type call struct {
	kind   kind
	text   string // a command, a path, a pattern, a task
	result string
	end    end
	n      int // tells edits of one file apart
}

type kind uint8

const (
	shell kind = iota
	read
	glob
	edit
	spawn   // starts a subagent
	unknown // a tool that there is not
	broken  // malformed arguments
)

type end uint8

const (
	fine end = iota
	failed
	cancelled // with its batch
)

func (s *story) ask() { s.steps = append(s.steps, step{prompt: true, gap: 30 * time.Second}) }

// say adds one response with its calls.
func (s *story) say(calls ...call) { s.by("", calls...) }

func (s *story) by(agent string, calls ...call) {
	s.steps = append(s.steps, step{agent: agent, calls: calls, gap: 4 * time.Second})
}

// each adds a response for each call.
func (s *story) each(calls ...call) {
	for _, c := range calls {
		s.say(c)
	}
}

func run(command, result string) call { return call{kind: shell, text: command, result: result} }

func fails(command, result string) call {
	return call{kind: shell, text: command, result: result, end: failed}
}

func reads(path string) call {
	return call{kind: read, text: path, result: "package app // " + path}
}

func edits(path string, n int) call {
	return call{kind: edit, text: path, n: n, result: "The file " + path + " has been updated."}
}

func starts(task string) call {
	return call{kind: spawn, text: task, result: "Done: " + task}
}

// agents are the subagents of a story in order of their start, with how deep
// below the main one they are.
func (s *story) agents() (names []string) {
	seen := map[string]bool{"": true}
	for _, st := range s.steps {
		if !seen[st.agent] {
			seen[st.agent] = true
			names = append(names, st.agent)
		}
	}
	return names
}

// depth is in an agent's name: a2.7 is two levels below the main one.
func depth(agent string) (n int) {
	_, _ = fmt.Sscanf(agent, "a%d", &n)
	return n
}
