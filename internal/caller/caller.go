// Package caller tells whether a coding agent started this program, from the
// variables that agents set for the commands they run and from the processes
// above this one.
//
// It can say yes, and why. It can't say no for sure: a command that an agent ran
// with another environment and cut off from its parents (setsid and a second
// fork, cron, at, a tmux server that ran before, ssh to this computer, a
// container that hides the processes outside) looks like one of the user's. On
// Windows only the variables are looked at. The other way round, a tmux server
// that an agent started keeps the agent's variables: what the user types in it
// later looks like the agent's, which is why the answer says what was seen.
package caller

import (
	"fmt"

	"checkrein/internal/harness"
)

// Process is one running program.
type Process struct {
	PID    int
	Parent int      // 0 when it has none that can be seen
	Exe    string   // the path of its file, "" when it can't be seen
	Args   []string // with the name it was started by first
}

// Processes looks a process up.
type Processes func(pid int) (Process, bool)

// Caller is an agent that started this program.
type Caller struct {
	Agent string // its name in sentences: Claude Code
	How   string // what told: the variable CLAUDECODE, or the process claude (12)
}

// Agent looks for a known agent above the process pid: at the environment first,
// then at the processes. Without procs only the environment is looked at.
func Agent(known []harness.Traits, getenv func(string) string, procs Processes, pid int) (Caller, bool) {
	for _, t := range known {
		for _, name := range t.Marks {
			if getenv(name) != "" {
				return Caller{Agent: t.Label, How: "the variable " + name + " is set"}, true
			}
		}
	}
	for _, p := range above(procs, pid) {
		if agent := agentOf(known, p); agent != "" {
			return Caller{Agent: agent, How: fmt.Sprintf("the process %d above this one is %s", p.PID, p.name())}, true
		}
	}
	return Caller{}, false
}

// Count is the number of known agents above the process pid. Programs of one agent
// directly above each other (Codex's launcher and Codex) are one. A hook has one
// agent above it; two mean that an agent started another.
func Count(known []harness.Traits, procs Processes, pid int) int {
	count, last := 0, ""
	for _, p := range above(procs, pid) {
		agent := agentOf(known, p)
		if agent != "" && agent != last {
			count++
		}
		last = agent
	}
	return count
}

// maxAbove: a longer chain is a mistake or a circle.
const maxAbove = 64

// above are the processes above pid, the nearest first.
func above(procs Processes, pid int) (all []Process) {
	if procs == nil {
		return nil
	}
	p, ok := procs(pid)
	for ok && p.Parent > 0 && len(all) < maxAbove {
		if p, ok = procs(p.Parent); ok {
			all = append(all, p)
		}
	}
	return all
}
