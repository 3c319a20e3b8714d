package seal

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"checkrein/internal/proc"
)

// ordinary makes a command one of an ordinary user.
func ordinary() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345, Groups: []uint32{}}}
}

// ordinaryFolder is a temporary folder of that user's, and this binary where that
// user can run it.
func ordinaryFolder(t *testing.T) (dir, exe string) {
	t.Helper()
	dir, err := os.MkdirTemp(openFolder(), "ordinary-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = removeAll(dir) })
	exe = filepath.Join(dir, "seal.test")
	text, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(exe, text, 0o755)
	}
	if err := errors.Join(err, os.Chown(dir, 12345, 12345)); err != nil {
		t.Fatal(err)
	}
	return dir, exe
}

// openFolder is the temporary folder, or /var/tmp where another user can't get to
// that one (TMPDIR in a folder of root's own).
func openFolder() string {
	for path := os.TempDir(); path != "/" && path != "."; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err != nil || info.Mode()&1 == 0 {
			return "/var/tmp"
		}
	}
	return ""
}

// holdLock starts what a process group doesn't hold, all with one lock. It says
// when that is so, and stays.
const holdLock = `
exec 9>lock; flock 9
for i in 1 2 3 4 5 6 7 8 9 10; do
  (setsid sh -c 'trap "" TERM HUP; for j in 1 2 3 4 5 6 7 8 9 10; do (setsid sleep 600 &); done; sleep 600' &)
done
setsid sh -c 'while :; do sleep 600 & wait; done' &
echo x >started; sleep 600`

// held tells whether any process has the lock.
func held(t *testing.T, dir string) bool {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Error("waited 30 s for nothing")
			return
		}
	}
}

func started(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "started"))
	return err == nil
}

// All that a command started is dead at once when it ends by itself.
func TestLifeEndsWithTheCommand(t *testing.T) {
	w := newWorld(t)
	out, r := w.run(strings.ReplaceAll(holdLock, "sleep 600`", "") + " & while [ ! -e started ]; do sleep 0.01; done; exit 5")
	if r.Exit == nil || *r.Exit != 5 || held(t, w.copy) {
		t.Errorf("%+v, held %v: %s", r, held(t, w.copy), out)
	}
}

func TestLifeEndsAtTheDeadline(t *testing.T) {
	w := newWorld(t)
	w.command.Timeout = time.Second
	if out, r := w.run(holdLock); !r.TimedOut || r.Exit != nil || held(t, w.copy) {
		t.Errorf("%+v, held %v: %s", r, held(t, w.copy), out)
	}
}

func TestLifeEndsWhenStopped(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stopped by the test")
	go func() {
		waitFor(t, func() bool { return started(w.copy) })
		cancel(why)
	}()
	_, err := proc.Run(ctx, proc.Command{Shell: holdLock, Dir: w.copy, Env: []string{"PATH=/usr/bin:/bin"}, Kind: proc.Agent, Launch: w.seal.Launch})
	if !errors.Is(err, why) || held(t, w.copy) {
		t.Errorf("%v, held %v", err, held(t, w.copy))
	}
}

func TestLifeEndsWithItsDriver(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "TEST_DRIVER="+w.copy)
	w.must(cmd.Start())
	waitFor(t, func() bool { return started(w.copy) })
	if !held(t, w.copy) {
		t.Error("the command holds no lock")
	}
	w.must(cmd.Process.Kill())
	_ = cmd.Wait()
	waitFor(t, func() bool { return !held(t, w.copy) })
}

// No command can end the process that watches it, or answer in its place.
func TestLifeOfTheSupervisor(t *testing.T) {
	w := newWorld(t)
	if out, r := w.run(`kill -9 1; kill -9 $PPID; kill -STOP 1; exit 4`); r.Exit == nil || *r.Exit != 4 {
		t.Errorf("%+v: %s", r, out)
	}
	if out, _ := w.run(`tr '\0' ' ' </proc/1/cmdline`); !strings.HasSuffix(out, "checkrein internal-supervise ") {
		t.Errorf("it tells %q", out)
	}
}

func TestLifeIsReported(t *testing.T) {
	w := newWorld(t)
	for line, exit := range map[string]int{"exit 7": 7, "kill -9 $$": -9, "kill $$": -15, "cat; true": 0, "no-such-program": 127} {
		if out, r := w.run(line); r.Exit == nil || *r.Exit != exit || r.TimedOut {
			t.Errorf("%s: %+v: %s", line, r, out)
		}
	}
	w.command.MaxOutput = 1 << 20
	if _, r := w.run("yes"); !r.Flooded {
		t.Errorf("a flood: %+v", r)
	}
	w.write("in", "hello")
	w.command = proc.Command{Stdin: filepath.Join(w.dir, "in"), Stderr: filepath.Join(w.dir, "err")}
	if out, r := w.run("cat; echo bad >&2; echo worse >>/dev/stderr"); !r.OK() || out != "hello" || w.read("err") != "bad\nworse\n" {
		t.Errorf("streams: %+v, %q, %q", r, out, w.read("err"))
	}
}
