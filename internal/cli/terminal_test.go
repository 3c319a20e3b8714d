//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"checkrein/internal/live"
	"checkrein/internal/live/vt"
)

// The window that terminals of these tests have.
const columns, rows = 140, 30

// screen is a terminal with checkrein on it.
type screen struct {
	t     *testing.T
	cmd   *exec.Cmd
	keys  *os.File
	mu    sync.Mutex
	all   bytes.Buffer // everything that was written to it
	ended chan struct{}
}

// onScreen starts checkrein on a terminal of its own.
func (p *place) onScreen(args ...string) *screen {
	p.t.Helper()
	cmd := exec.Command("checkrein", args...)
	cmd.Dir, cmd.Env = filepath.Join(p.repo, p.folder), append(p.env, "TERM="+p.term)
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		p.t.Fatal(err)
	}
	s := &screen{t: p.t, cmd: cmd, keys: file, ended: make(chan struct{})}
	go s.read()
	p.t.Cleanup(func() { _ = cmd.Process.Kill(); file.Close() })
	return s
}

// read keeps what is written until nobody has the terminal open.
func (s *screen) read() {
	defer close(s.ended)
	part := make([]byte, 1<<15)
	for {
		n, err := s.keys.Read(part)
		s.mu.Lock()
		s.all.Write(part[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// now is what the screen shows.
func (s *screen) now() vt.Screen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return vt.Play(s.all.String(), columns, rows, live.Columns)
}

// wait returns once the screen shows all of the texts at the same time.
func (s *screen) wait(texts ...string) string {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		shown := s.now().String()
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(shown, text)
		}
		if !missing {
			return shown
		}
		if time.Now().After(end) {
			s.t.Fatalf("%q never came on the screen at once:\n%s", texts, shown)
		}
	}
}

// waitTimes returns once the screen shows a text so many times.
func (s *screen) waitTimes(text string, times int) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); strings.Count(s.now().String(), text) < times; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%q is not on the screen %d times:\n%s", text, times, s.now())
		}
	}
}

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, keys); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the end of checkrein, and checks that the terminal is left as
// it should be.
func (s *screen) end(code int) string {
	s.t.Helper()
	<-s.ended
	err := s.cmd.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	shown := s.now()
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit status %d, want %d:\n%s", got, code, shown)
	}
	if shown.Hidden || len(shown.Unknown) > 0 {
		s.t.Errorf("cursor hidden: %v, sequences: %q", shown.Hidden, shown.Unknown)
	}
	for _, rest := range []string{" running, ", " reserved, ", "making a copy", "tests with the change", "none checked yet"} {
		if strings.Contains(shown.String(), rest) {
			s.t.Errorf("%q is left on the screen:\n%s", rest, shown)
		}
	}
	return shown.String()
}

// place is a repository with two fixes in its history, in a home of its own,
// with stand-ins for agents.
type place struct {
	t         *testing.T
	dir, repo string
	env       []string
	term      string // the kind of its terminals
	folder    string // of the repository, where its user is
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, dir: dir, repo: filepath.Join(dir, "repo"), term: "xterm"}
	for _, sub := range []string{"repo/tests", "bin", "tmp", "home"} {
		p.must(os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	for _, tool := range []string{"git", "sh", "cat", "sleep", "make"} { // and no agent of this machine
		path, err := exec.LookPath(tool)
		p.must(err)
		p.must(os.Symlink(path, filepath.Join(dir, "bin", tool)))
	}
	p.env = []string{
		"PATH=" + filepath.Join(dir, "bin"), "HOME=" + filepath.Join(dir, "home"),
		"TMPDIR=" + filepath.Join(dir, "tmp"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=d@localhost",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=d@localhost",
	}
	p.git("init", "-q", "-b", "main")
	p.commit("Start", map[string]string{"Makefile": "test:\n\tsh tests/run.sh\n", "one.sh": "exit 1\n", "two.sh": "exit 1\n", "tests/run.sh": "exit 0\n"})
	p.commit("Mend the first ツ", map[string]string{"one.sh": "exit 0\n", "tests/run.sh": "sh one.sh\n"})
	p.commit("Say it otherwise", map[string]string{"two.sh": "exit 2\n", "tests/run.sh": "sh one.sh || exit 1\n"})
	p.commit("Mend the second", map[string]string{"two.sh": "exit 0\n", "tests/run.sh": "sh one.sh && sh two.sh\n"})
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.repo, p.env
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (p *place) commit(message string, files map[string]string) {
	p.t.Helper()
	for name, text := range files {
		p.must(os.WriteFile(filepath.Join(p.repo, name), []byte(text), 0o644))
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", message)
}

// standIn writes a program that plays Claude Code.
func (p *place) standIn(script string) {
	p.t.Helper()
	text := "#!/bin/sh\n[ \"$1\" = --version ] && { echo '9.9.9 (Claude Code)'; exit 0; }\n" + script +
		"\necho '{\"type\":\"result\",\"is_error\":false,\"result\":\"done\",\"total_cost_usd\":0.25,\"num_turns\":3,\"modelUsage\":{}}'\n"
	p.must(os.WriteFile(filepath.Join(p.dir, "bin", "claude"), []byte(text), 0o755))
}

// gate is a file that scripts wait for; path names it, open makes it.
func (p *place) gate(name string) (wait string, open func()) {
	path := filepath.Join(p.dir, name)
	return "while [ ! -e " + path + " ]; do sleep 0.02; done", func() { p.must(os.WriteFile(path, nil, 0o644)) }
}

// tidy checks that no copy is left.
func (p *place) tidy() {
	p.t.Helper()
	left, _ := filepath.Glob(filepath.Join(p.dir, "tmp", "*"))
	if len(left) > 0 {
		p.t.Errorf("left behind: %v", left)
	}
}
