// Package doctor finds out whether the guard's hook runs: it looks at the agents'
// settings, runs the registered command once as they would, and compares the
// last check with what the agents have recorded since.
//
// It promises to change nothing. What it says is a list of findings, made by
// rules on values (rules.go) from what the files and the command showed.
package doctor

import (
	"context"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/hook"
	"checkrein/internal/install"
	"checkrein/internal/redact"
	"checkrein/internal/state"
)

// Level is how bad a finding is.
type Level string

// The levels of findings.
const (
	OK    Level = "ok"
	Note  Level = "note"  // worth knowing; the hook runs all the same
	Fault Level = "fault" // the guard does not, or may not, do its work
)

// Finding is the result of one check. Its texts are safe to print.
type Finding struct {
	Harness string `json:"harness,omitzero"`
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Seen    string `json:"seen"`
	Try     string `json:"try,omitzero"` // what to type
}

// Options say what to look at.
type Options struct {
	Machine  install.Machine
	Harness  string // "" for every one that is there
	Environ  []string
	Now      time.Time
	Program  string          // how a user starts this program
	Programs map[string]bool // harnesses whose program is on PATH
}

// Run makes all checks.
func Run(ctx context.Context, o Options) []Finding {
	e := &examination{Options: o, store: state.Open(o.Machine.Getenv)}
	e.sessions = e.store.Sessions()
	for _, h := range registry.Hooks() {
		if o.Harness == "" || o.Harness == h.Name {
			e.harness(ctx, h)
		}
	}
	if len(e.findings) == 0 {
		e.add("", "agent", Fault, "neither Claude Code nor Codex is on PATH or has a settings file", e.Program+" guard install --write")
	}
	e.variable()
	e.folder()
	e.prices()
	return e.findings
}

// examination gathers the findings.
type examination struct {
	Options
	store    state.Store
	sessions []state.Saved
	findings []Finding
}

func (e *examination) add(harness, check string, level Level, seen, try string) {
	if level == OK {
		try = ""
	}
	e.findings = append(e.findings, Finding{harness, check, level, redact.Line(seen, 600), redact.Line(try, 300)})
}

// harness makes the checks of one harness. It says nothing of one that is not
// there, unless it was named.
func (e *examination) harness(ctx context.Context, h harness.Hooks) {
	name := h.Name
	all, broken := e.find(name)
	there := e.Harness != "" || e.Programs[name] || broken
	for _, f := range all {
		there = there || f.Exists
	}
	if !there {
		return
	}
	e.findings = append(e.findings, entries(name, all, broken, e.Program, e.Machine.Shown)...)
	e.answers(ctx, name, all)
	if h.Switch != "" {
		e.switches(name)
	}
	if h.ByPlace {
		e.trust(name, all)
	}
	e.heartbeat(h, all)
}

// find looks into each settings file. Of those that can't be read it says so.
func (e *examination) find(name string) (all []install.Found, broken bool) {
	seen := map[string]bool{} // the home folder may be the project
	for _, place := range install.Places(name, "", e.Machine) {
		if seen[place.Path] {
			continue
		}
		seen[place.Path] = true
		found, err := install.Find(place, e.Machine)
		if err != nil {
			broken = true
			e.add(name, "settings", Fault, err.Error(), edit(place.Path))
			continue
		}
		all = append(all, found)
	}
	return all, broken
}

// edit is how to open a file that only its owner can mend.
func edit(path string) string { return "${EDITOR:-vi} " + guard.Quote(path) }

func (e *examination) switches(name string) {
	switches := install.Switches(name, e.Machine, hook.Off)
	for _, s := range switches {
		e.add(name, "switches", Fault, e.Machine.Shown(s.Path)+" sets "+s.What, edit(s.Path))
	}
	if len(switches) == 0 {
		e.add(name, "switches", OK, "no settings file turns hooks or the guard off", "")
	}
}
