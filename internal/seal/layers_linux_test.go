package seal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/proc"
	"checkrein/internal/untested"
)

// Tests of walls by what they need: TestLayers needs layers.
const (
	unlayered  = "^TestWall|^TestLife|^TestFlat"
	everything = unlayered + "|^TestLayers"
)

// Caches and home: what setup writes stays for the copy, what others write is
// gone, and nothing of it reaches the user's own.
func TestLayersOfSetup(t *testing.T) {
	w := newWorld(t)
	steps := []struct {
		kind proc.Kind
		line string
		want string
	}{
		{proc.Tests, `cat "$HOME/.cache/pip/x"; echo t >"$HOME/.cache/pip/x"; echo t >"$HOME/y"; cat "$HOME/.cache/pip/x"`, "cachedt\n"},
		{proc.Setup, `cat "$HOME/.cache/pip/x"; cat "$HOME/y"; echo s >"$HOME/.cache/pip/x"; echo s >"$HOME/y"; echo s >/tmp/z`, "cachedcat: "},
		{proc.Agent, `cat "$HOME/.cache/pip/x" "$HOME/y" /tmp/z; rm "$HOME/.cache/pip/x" "$HOME/y"; echo a >"$HOME/.cache/pip/a"`, "s\ns\ns\n"},
		{proc.Tests, `cat "$HOME/.cache/pip/x" "$HOME/y"; ls "$HOME/.cache/pip"`, "s\ns\nx\n"},
		{proc.Setup, `cat "$HOME/.cache/pip/x"; ls "$HOME"`, "cached"},
	}
	for i, s := range steps {
		w.kind = s.kind
		if out, _ := w.run(s.line); !strings.HasPrefix(out, s.want) {
			t.Errorf("step %d: %q, want %q", i, out, s.want)
		}
	}
	if text := w.read("home/.cache/pip/x") + w.read("home/y"); text != "cached" {
		t.Errorf("the user's cache holds %q", text)
	}
}

// Validation adds to the build cache that is kept; what agents and their tests
// write there is gone.
func TestLayersAndBuilds(t *testing.T) {
	w := newWorld(t)
	w.seal = New(Options{Means: testMeans(), Hide: []string{filepath.Join(w.dir, "state")}, Builds: filepath.Join(w.dir, "state/cache"), Trusted: true})
	w.run(`echo made >"$HOME/.cache/go-build/made"`)
	w.run(`test "$(cat "$HOME/.cache/go-build/made")" = made && rm "$HOME/.cache/go-build/made"`)
	w.seal = New(Options{Means: testMeans(), Hide: []string{filepath.Join(w.dir, "state")}, Builds: filepath.Join(w.dir, "state/cache")})
	for _, w.kind = range []proc.Kind{proc.Agent, proc.Setup, proc.Tests} {
		if out, _ := w.run(`cat "$HOME/.cache/go-build/made" "$HOME/.cache/go-build/x"; echo forged >"$HOME/.cache/go-build/made"; cat "$W/state/cache/go-build/made"`); !strings.HasPrefix(out, "made\ncached") {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
	if text := w.read("state/cache/go-build/made"); text != "made\n" {
		t.Errorf("the kept cache holds %q", text)
	}
}

// What a setup command installs beside a toolchain is there for its copy only.
func TestLayersAndInstalls(t *testing.T) {
	w := newWorld(t)
	w.write("tools/lib/x", "tool")
	w.must(os.MkdirAll(filepath.Join(w.dir, "tools/bin"), 0o755))
	w.command.Env = []string{"VENV=" + filepath.Join(w.dir, "tools/bin")}
	steps := []struct {
		kind proc.Kind
		line string
		want string
	}{
		{proc.Setup, `cd "$HOME/.cargo/bin" && echo s >new && echo s >"$VENV/new" && cat tool`, "tool"},
		{proc.Agent, `cd "$HOME/.cargo/bin" && cat tool new "$VENV/new" "$VENV/../lib/x"; echo a >tool; echo a >"$VENV/new"; true`, "tools\ns\ntool"},
		{proc.Tests, `cd "$HOME/.cargo/bin" && cat tool new "$VENV/new"`, "tools\ns\n"},
	}
	for i, s := range steps {
		w.kind = s.kind
		if out, r := w.run(s.line); !r.OK() || !strings.HasPrefix(out, s.want) {
			t.Errorf("step %d: %q, want %q", i, out, s.want)
		}
	}
	if w.read("home/.cargo/bin/tool") != "tool" || w.read("home/.cargo/bin/new") != "" || w.read("tools/bin/new") != "" {
		t.Error("the user's own toolchain has changed")
	}
}

// Without layers, setup fills empty caches, and the others have what it left, or the
// user's own caches to read. Compilers start with nothing.
func TestFlat(t *testing.T) {
	w := newWorld(t)
	w.seal.Means.Flat = true
	w.write("home/.cargo/config.toml", "[source]\n")
	steps := []struct {
		kind proc.Kind
		line string
		want string
	}{
		{proc.Tests, `cd "$HOME/.cache"; cat pip/x; echo x >pip/y; ls go-build; echo x >go-build/made && echo made`, "cached/bin/sh: "},
		{proc.Tests, `ls "$HOME/.cache/go-build"; echo x >"$HOME/.cache/go-build/made" && echo made`, "made"},
		{proc.Setup, `ls "$HOME/.cache/pip"; echo s >"$HOME/.cache/pip/x"; echo s >"$HOME/y"; ln -s y "$HOME/z"; cat "$HOME/.cargo/bin/tool"`, "tool"},
		{proc.Agent, `cd "$HOME"; cat .cache/pip/x y z; echo a >y; rm .cache/pip/x; echo a >.cache/pip/a`, "s\ns\ns\n"},
		{proc.Tests, `cd "$HOME"; cat .cache/pip/x y z; ls .cache/pip; cat .cargo/config.toml`, "s\ns\ns\nx\n[source]\n"},
	}
	for i, s := range steps {
		w.kind = s.kind
		if out, _ := w.run(s.line); !strings.HasPrefix(out, s.want) {
			t.Errorf("step %d: %q, want %q", i, out, s.want)
		}
	}
	if text := w.read("home/.cache/pip/x") + w.read("home/y") + w.read("home/.cache/go-build/made"); text != "cached" {
		t.Errorf("the user's own holds %q", text)
	}
}

// TestBubblewrap is all of that behind walls of bubblewrap: as the ordinary user for
// whom they are, and the part that root's rights may change as root.
func TestBubblewrap(t *testing.T) {
	program := bubblewrap()
	if program == "" {
		untested.Here(t, "bubblewrap is not installed")
	}
	tests := everything
	if help, _ := exec.Command(program, "--help").CombinedOutput(); !strings.Contains(string(help), "--overlay ") {
		program, tests = program+" flat", unlayered
	}
	cmd := exec.Command("/proc/self/exe", "-test.run", "^TestWall", "-test.v")
	cmd.Env = append(os.Environ(), "TEST_MEANS="+program)
	passes(t, cmd)
	if os.Geteuid() == 0 {
		asOrdinary(t, tests, "TEST_MEANS="+program)
	}
}

// passes lets this binary run some tests in another way.
func passes(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: Test") < 10 {
		t.Errorf("%v: %s", err, out)
	}
}

func asOrdinary(t *testing.T, tests, means string) {
	t.Helper()
	dir, exe := ordinaryFolder(t)
	cmd := exec.Command(exe, "-test.run", tests, "-test.v")
	cmd.Env, cmd.Dir, cmd.SysProcAttr = append(os.Environ(), "TMPDIR="+dir, means), dir, ordinary()
	passes(t, cmd)
}
