// Package hook answers one hook call: read the call, bring the session's counts
// up to date from its transcripts, apply the rules, print the answer.
//
// It never blocks work by mistake. Whatever goes wrong (no input, a state folder
// that can't be written, a bug) lets the call through, prints nothing and adds a
// line to the error log. It makes no network call and starts no goroutine: a
// panic in one would end the program with status 2, which blocks.
package hook

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/claudecode"
	"checkrein/internal/harness/codex"
	"checkrein/internal/state"
)

// maxInput is how many bytes of input are judged. More is let through: no
// harness was seen to send a tenth of it.
const maxInput = 32 << 20

// Env is what a hook call takes from the process it runs in.
type Env struct {
	Getenv  func(string) string
	Now     func() time.Time
	Sleep   func(time.Duration) // nil: never waits for what a harness writes late
	Program string              // how a user starts this program, quoted for a shell

	Files     []string         // what else an agent must not change: this program's own file
	Harnesses []harness.Traits // by which the protection knows agents

	Agents func() int // how many agents are above this process; nil when that can't be known
}

// Run answers the call that in holds. args are the words after "guard hook";
// those it does not know are ignored, because a bad flag in a settings file must
// not block anything.
func Run(args []string, in io.Reader, out io.Writer, env Env) {
	store := state.Open(env.Getenv)
	defer func() {
		if problem := recover(); problem != nil {
			store.LogError(panicSite(), problem, env.Now())
		}
	}()
	raw, err := readAll(in)
	if err != nil {
		return
	}
	answer, err := decide(raw, harnessFlag(args), store, env)
	if err != nil {
		store.LogError("hook", err, env.Now())
	}
	if answer != nil {
		_, _ = out.Write(append(answer, '\n'))
	}
}

// readAll takes the whole input, so that the harness never writes into a closed
// pipe, and keeps as much as is judged.
func readAll(in io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err == nil && len(raw) > maxInput {
		_, _ = io.Copy(io.Discard, in)
		err = errors.New("the input is too large")
	}
	return raw, err
}

// panicSite is the function of this module that panicked: the first one below
// the runtime's own frames.
func panicSite() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for panicked := false; ; {
		frame, more := frames.Next()
		if panicked && strings.HasPrefix(frame.Function, "checkrein/") {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return "unknown"
		}
	}
}

// Off tells whether a value of RUNAWAY_GUARD_OFF turns the guard off.
func Off(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

func harnessFlag(args []string) string {
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--harness="); ok {
			return name
		}
		if arg == "--harness" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// adapter is the harness that a flag names, else the one the input looks like.
func adapter(flag string, in harness.Input) harness.Adapter {
	switch flag {
	case harness.ClaudeCode:
		return claudecode.Adapter()
	case harness.Codex:
		return codex.Adapter()
	}
	if in.Harness() == harness.Codex {
		return codex.Adapter()
	}
	return claudecode.Adapter()
}

func decide(raw []byte, flag string, store state.Store, env Env) ([]byte, error) {
	in, ok := harness.ParseInput(raw)
	if !ok || in.Event == "" {
		return nil, nil
	}
	if in.Cursor { // Cursor runs Claude Code's hooks; its own reader may take silence for invalid JSON, which blocks
		return []byte("{}"), nil
	}
	if in.Session == "" || Off(env.Getenv("RUNAWAY_GUARD_OFF")) {
		return nil, nil
	}
	if err := store.Make(); err != nil {
		return nil, err
	}
	lock, err := store.LockSession(in.Session)
	if err != nil { // held for too long, too: a call that was not judged must leave a trace
		return nil, err
	}
	defer lock.Release()
	sabotage(env.Getenv)
	h := adapter(flag, in)
	return visit(&check{Adapter: h, call: h.NewCall(in), store: store, env: env, now: env.Now()})
}

// check is one hook call under its session's lock.
type check struct {
	harness.Adapter
	call  harness.Call
	store state.Store
	env   Env
	now   time.Time
	s     *guard.Session

	sources guard.Sources
	paid    bool           // something was paid since the last check
	totals  *budget.Totals // what all sessions have paid, once it is known
}

func (c *check) project() string {
	if dir := c.env.Getenv("CLAUDE_PROJECT_DIR"); dir != "" {
		return dir
	}
	return c.call.Dir
}
