//go:build unix

// Package neverblocks proves that nothing which goes wrong in the hook, around
// it or in what it is given stops a tool call. Each case starts the real binary
// with the command that install writes into an agent's settings, in a folder of
// its own, and asks what a harness would make of the outcome.
package neverblocks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/state"
)

// kit is the programs under test, built once.
var kit struct{ checkrein, sabotaged string }

func TestMain(m *testing.M) {
	if asked := os.Getenv(dropVariable); asked != "" {
		dropAndExec(os.Args[1:])
	}
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "neverblocks:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func build() error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	kit.checkrein = filepath.Join(root, ".build", "test", "checkrein")
	kit.sabotaged = kit.checkrein + "-sabotaged"
	for out, tags := range map[string]string{kit.checkrein: "", kit.sabotaged: "checkrein_panic"} {
		cmd := exec.Command("go", "build", "-tags", tags, "-o", out, "./cmd/checkrein")
		cmd.Dir, cmd.Stderr = root, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("building %s: %w", out, err)
		}
	}
	return nil
}

// The time-out that install writes is 10 seconds. A case may use half of it as
// processor time, which other programs on the machine do not stretch; the time on
// the clock only ends what hangs.
const (
	processorLimit = 5 * time.Second
	hangLimit      = time.Minute
)

// world is one session on one machine: folders, the hook's input and how the
// hook is started.
type world struct {
	root       string // everything lies below it
	state      string // the guard's state folder
	transcript string
	session    any // as the input gives it
	harness    string
	binary     string
	flags      string            // behind "guard hook"
	before     string            // a shell line in front of the command
	env        map[string]string // "" unsets
	input      map[string]any    // members added to the hook's input
	stdin      func() io.Reader  // nil: the input
	drop       bool              // without root's right to read and write everything
}

func newWorld(t *testing.T, harness string) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{
		root: root, state: filepath.Join(root, "xdg", "runaway-guard"), session: "sess-1", harness: harness,
		transcript: filepath.Join(root, "projects", "sess-1.jsonl"), binary: kit.checkrein, flags: "--harness " + harness,
		env:   map[string]string{"HOME": filepath.Join(root, "home"), "XDG_STATE_HOME": filepath.Join(root, "xdg")},
		input: map[string]any{},
	}
	for _, dir := range []string{"home", "xdg", "projects", "cwd"} {
		must(t, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	write(t, w.transcript, "")
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// file is the path of a file in the state folder, which is made.
func (w *world) file(t *testing.T, name string) string {
	t.Helper()
	must(t, os.MkdirAll(w.state, 0o700))
	return filepath.Join(w.state, name)
}

// call is the hook's input for a call that no rule has anything against.
func (w *world) call() []byte {
	in := map[string]any{
		"session_id": w.session, "transcript_path": w.transcript, "cwd": filepath.Join(w.root, "cwd"),
		"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": "ls"},
		"tool_use_id": "toolu_1", "prompt_id": "p1",
	}
	for name, value := range w.input {
		in[name] = value
	}
	raw, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return raw
}

// outcome is what a harness sees of a hook.
type outcome struct {
	stdout, stderr string
	code           int
	busy           time.Duration // processor time
	hangs          bool
}

// installed runs the command as install writes it.
func (w *world) installed(t *testing.T) outcome {
	t.Helper()
	return w.run(t, "sh", "-c", w.before+guard.Quote(w.binary)+" guard hook "+w.flags+" || true")
}

// alone runs the binary without the shell around it.
func (w *world) alone(t *testing.T) outcome {
	t.Helper()
	return w.run(t, "sh", "-c", w.before+"exec "+guard.Quote(w.binary)+" guard hook "+w.flags)
}

func (w *world) run(t *testing.T, argv ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangLimit)
	defer cancel()
	variables := []string{"PATH=" + os.Getenv("PATH")}
	for name, value := range w.env {
		if value != "" {
			variables = append(variables, name+"="+value)
		}
	}
	if w.drop {
		self, err := os.Executable()
		must(t, err)
		argv = append([]string{self}, argv...)
		variables = append(variables, dropVariable+"=1")
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.root, variables, &stdout, &stderr
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what hangs is ended with the shell around it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Stdin = bytes.NewReader(w.call())
	if w.stdin != nil {
		cmd.Stdin = w.stdin()
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !brokenPipe(err) {
		t.Fatal(err)
	}
	ended := cmd.ProcessState
	return outcome{stdout.String(), stderr.String(), ended.ExitCode(), ended.UserTime() + ended.SystemTime(), ctx.Err() != nil}
}

// brokenPipe: the hook went before it had read its input, as one that is not
// there does. Harnesses put up with that.
func brokenPipe(err error) bool {
	return strings.Contains(err.Error(), "broken pipe") || errors.Is(err, exec.ErrWaitDelay)
}

// blocks tells why a harness would not let the call through; "" when it would.
func (o outcome) blocks() string {
	switch {
	case o.hangs:
		return "it hangs"
	case o.busy > processorLimit:
		return fmt.Sprint("it was busy for ", o.busy)
	case o.code != 0:
		return fmt.Sprintf("exit status %d", o.code)
	case strings.TrimSpace(o.stdout) == "":
		return ""
	}
	var answer struct {
		Continue *bool
		Decision string
		Specific struct{ PermissionDecision string } `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(o.stdout), &answer); err != nil {
		return "the output is no JSON object: " + err.Error()
	}
	if answer.Decision != "" || answer.Specific.PermissionDecision != "" || answer.Continue != nil {
		return "it decides"
	}
	return ""
}

func (o outcome) mustPass(t *testing.T) {
	t.Helper()
	if why := o.blocks(); why != "" {
		t.Errorf("the call does not go through: %s\nstdout: %.500s\nstderr: %.1000s", why, o.stdout, o.stderr)
	}
}

// saved is the session's state file, or an error.
func (w *world) saved() (*guard.Session, error) {
	raw, err := os.ReadFile(filepath.Join(w.state, "sess-1.json"))
	if err != nil {
		return nil, err
	}
	s, err := state.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w in %.300s", err, raw)
	}
	return s, nil
}

// mustSave fails unless the call was counted.
func (w *world) mustSave(t *testing.T) {
	t.Helper()
	if s, err := w.saved(); err != nil || len(s.Agents) == 0 {
		t.Errorf("the call was not counted: %v", err)
	}
}

// listing is every path below the world's root but the state folder.
func (w *world) listing(t *testing.T) map[string]bool {
	t.Helper()
	paths := map[string]bool{}
	must(t, filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if path == w.state {
			return fs.SkipDir
		}
		paths[path] = true
		return err
	}))
	return paths
}
