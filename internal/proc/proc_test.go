package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == SuperviseArg {
		os.Exit(Supervise())
	}
	if dir := os.Getenv("TEST_DRIVER_DIR"); dir != "" { // a driver for others to kill
		_, err := Run(context.Background(), Command{Shell: os.Getenv("TEST_DRIVER_LINE"), Dir: dir, Env: os.Environ(), ID: os.Getenv("TEST_DRIVER_ID")})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// shell runs a line with a minimal environment and returns its output.
func shell(t *testing.T, ctx context.Context, c Command) (Result, string, error) {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	c.Stdout = filepath.Join(t.TempDir(), "out")
	c.Env = append(c.Env, "PATH="+os.Getenv("PATH"))
	r, err := Run(ctx, c)
	out, _ := os.ReadFile(c.Stdout)
	return r, string(out), err
}

func TestRunReportsHowACommandEnded(t *testing.T) {
	tests := []struct {
		line string
		exit int
		out  string
	}{
		{"echo hello; echo there >&2", 0, "hello\nthere\n"},
		{"exit 7", 7, ""},
		{"kill -9 $$", -9, ""},
		{"cat; echo \"$PWD\" | tail -c 5", 0, "/dir\n"},
	}
	for _, tt := range tests {
		dir := filepath.Join(t.TempDir(), "dir")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		r, out, err := shell(t, t.Context(), Command{Shell: tt.line, Dir: dir})
		if err != nil || r.Exit == nil || *r.Exit != tt.exit || out != tt.out || r.TimedOut {
			t.Errorf("%s: %+v, %q, %v", tt.line, r, out, err)
		}
	}
}

func TestRunNamesAMissingProgram(t *testing.T) {
	_, _, err := shell(t, t.Context(), Command{Argv: []string{"no-such-program"}})
	if !errors.Is(err, ErrNoProgram) {
		t.Errorf("got %v", err)
	}
}

// daemons starts what a process group doesn't hold, each writing its id.
const daemons = `
(setsid sh -c 'echo $$ >> pids; sleep 600' &) ; setsid sh -c 'echo $$ >> pids; (trap "" TERM; sleep 600 & echo $! >> pids; wait)' &
sh -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' &
while [ "$(wc -l < pids 2>/dev/null || echo 0)" -lt 4 ]; do sleep 0.01; done
`

func TestRunEndsEverythingTheCommandStarted(t *testing.T) {
	dir := t.TempDir()
	if r, out, err := shell(t, t.Context(), Command{Shell: daemons, Dir: dir}); err != nil || !r.OK() {
		t.Fatal(r, out, err)
	}
	noneAlive(t, dir)
}

func TestRunEndsEverythingAtItsDeadline(t *testing.T) {
	dir := t.TempDir()
	r, _, err := shell(t, t.Context(), Command{Shell: daemons + "exec sleep 600", Dir: dir, Timeout: time.Second})
	if err != nil || !r.TimedOut || r.Exit != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	noneAlive(t, dir)
}

func TestRunEndsEverythingWhenStopped(t *testing.T) {
	dir := t.TempDir()
	why := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		waitFor(t, func() bool { return len(pidsIn(dir)) == 4 })
		cancel(why)
	}()
	_, _, err := shell(t, ctx, Command{Shell: daemons + "exec sleep 600", Dir: dir})
	if !errors.Is(err, why) {
		t.Fatal(err)
	}
	noneAlive(t, dir)
}

func TestRunEndsACommandThatFloods(t *testing.T) {
	r, _, err := shell(t, t.Context(), Command{Shell: "yes", MaxOutput: 1 << 20})
	if err != nil || !r.Flooded || r.OK() {
		t.Fatalf("%+v, %v", r, err)
	}
}

func pidsIn(dir string) []string {
	data, _ := os.ReadFile(filepath.Join(dir, "pids"))
	return strings.Fields(string(data))
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

func noneAlive(t *testing.T, dir string) {
	t.Helper()
	pids := pidsIn(dir)
	if len(pids) != 4 {
		t.Fatalf("the command started %d daemons, want 4", len(pids))
	}
	for _, pid := range pids {
		if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
			t.Errorf("process %s is alive: %s", pid, stat)
		}
	}
}

// driver starts this test binary as a driver that runs line.
func driver(t *testing.T, dir, line, id string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "TEST_DRIVER_DIR="+dir, "TEST_DRIVER_LINE="+line, "TEST_DRIVER_ID="+id)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func gone(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestAKilledDriverLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	cmd := driver(t, dir, daemons+"exec sleep 600", "")
	waitFor(t, func() bool { return len(pidsIn(dir)) == 4 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	waitFor(t, func() bool {
		for _, pid := range pidsIn(dir) {
			if !gone(pid) {
				return false
			}
		}
		return true
	})
	noneAlive(t, dir)
}

// TestSweepFindsWhatTheKilledSupervisorLeft kills the driver and its supervisor
// at once, and sweeps by the run's mark as the next command would.
func TestSweepFindsWhatTheKilledSupervisorLeft(t *testing.T) {
	dir, id := t.TempDir(), "sweep-"+filepath.Base(t.TempDir())
	cmd := driver(t, dir, `trap "" TERM; echo $PPID > supervisor;`+daemons+"exec sleep 600", id)
	waitFor(t, func() bool { return len(pidsIn(dir)) == 4 })
	data, err := os.ReadFile(filepath.Join(dir, "supervisor"))
	if err != nil {
		t.Fatal(err)
	}
	supervisor, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(syscall.Kill(supervisor, syscall.SIGKILL), cmd.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	Sweep(id)
	noneAlive(t, dir)
}

func TestACommandThatKillsItsSupervisorDiesToo(t *testing.T) {
	dir := t.TempDir()
	r, _, err := shell(t, t.Context(), Command{Shell: daemons + "kill -9 $PPID; sleep 600", Dir: dir})
	if err != nil || r.OK() || r.Exit == nil {
		t.Errorf("%+v, %v", r, err)
	}
	noneAlive(t, dir)
}

// TestASupervisorTellsNothing looks at what a command can read of the process
// above it.
func TestASupervisorTellsNothing(t *testing.T) {
	t.Setenv("SECRET_OF_THE_USER", "x")
	_, out, err := shell(t, t.Context(), Command{Shell: `tr '\0' '\n' < /proc/$PPID/environ; readlink /proc/$PPID/cwd; tr '\0' ' ' < /proc/$PPID/cmdline`, ID: "me"})
	want := strings.Join(append([]string{"CHECKREIN_RUN=me"}, raceEnv...), "\n") + "\n/\ncheckrein internal-supervise "
	if err != nil || out != want {
		t.Errorf("%v: got %q, want %q", err, out, want)
	}
}

func TestLaunchChangesWhatIsStarted(t *testing.T) {
	var asked Start
	launch := func(s Start) (Start, error) {
		asked = s
		s.Argv = append([]string{"/usr/bin/env", "WRAPPED=yes"}, s.Argv...)
		return s, nil
	}
	_, out, err := shell(t, t.Context(), Command{Argv: []string{"sh", "-c", "echo $WRAPPED"}, Launch: launch})
	if err != nil || out != "yes\n" || !filepath.IsAbs(asked.Argv[0]) {
		t.Errorf("%q, %v, launched %q", out, err, asked.Argv)
	}
	why := errors.New("no sandbox")
	_, _, err = shell(t, t.Context(), Command{Shell: "true", Launch: func(Start) (Start, error) { return Start{}, why }})
	if !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// The supervisor's folder is another one than the caller's.
func TestRunTakesPathsFromTheCallersFolder(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	t.Chdir(here)
	if err := os.WriteFile("in", []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Command{Shell: "cat; echo bad >&2", Dir: there, Env: os.Environ(), Stdin: "in", Stdout: "out", Stderr: "err"}
	if r, err := Run(t.Context(), c); err != nil || !r.OK() {
		t.Fatal(r, err)
	}
	for name, want := range map[string]string{"out": "hello", "err": "bad\n"} {
		if got, err := os.ReadFile(filepath.Join(here, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
