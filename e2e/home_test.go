//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkrein/e2e/modelserver"
)

// home is all that one case has: a HOME folder with a repository in it, and
// the model that answers.
type home struct {
	t       *testing.T
	dir     string
	project string
	model   *modelserver.Server
	env     []string // added by the case: NAME=value
	// patience is how long a program may take.
	patience time.Duration
}

func newHome(t *testing.T, s modelserver.Script) *home {
	t.Helper()
	h := &home{t: t, dir: realTempDir(t), model: modelserver.Start(s), patience: patience}
	t.Cleanup(h.model.Close)
	t.Cleanup(h.keep)
	h.project = filepath.Join(h.dir, "project")
	h.write("project/hello.txt", "hello world\n")
	h.write("project/other.txt", "other\n")
	h.run(nil, "git", "init", "-q", "-b", "main").ok()
	h.run(nil, "git", "add", ".").ok()
	h.run(nil, "git", "-c", "user.name=Dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "first").ok()
	return h
}

// realTempDir has no links in it: CLIs resolve them, so that a path they print
// would differ from ours. Nor does it lie in the folder for temporary files: Codex
// makes no helper programs in a home there, and without them its sandbox fails
// where the system has a bubblewrap of its own that is older than 0.9.
func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "checkrein-e2e-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// keep saves the HOME of a case that failed: transcripts and state tell what
// the CLI and the guard saw.
func (h *home) keep() {
	if !h.t.Failed() {
		return
	}
	dir := filepath.Join(kit.work, "failed", h.t.Name())
	if err := os.RemoveAll(dir); err != nil {
		h.t.Log(err)
	}
	if err := do(h.dir, "sh", "-c", `mkdir -p "$1" && cp -R . "$1"`, "sh", dir); err != nil {
		h.t.Log(err)
	}
	h.t.Logf("its HOME is kept in %s", dir)
}

// environ is the whole environment of a program: nothing of the caller's.
func (h *home) environ(more []string) []string {
	path := []string{filepath.Dir(kit.checkrein), kit.clis, kit.node, "/usr/local/bin", "/usr/bin", "/bin"}
	base := []string{
		"PATH=" + strings.Join(path, ":"), "HOME=" + h.dir, "TERM=xterm",
		"XDG_STATE_HOME=" + filepath.Join(h.dir, "state"),
	}
	return slices.Concat(base, more, h.env, strings.Fields(os.Getenv("CHECKREIN_E2E_ENV")))
}

// write makes a file below HOME.
func (h *home) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// read returns a file below HOME, "" when there is none.
func (h *home) read(name string) string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil && !os.IsNotExist(err) {
		h.t.Fatal(err)
	}
	return string(text)
}

// ran lists what mark's commands wrote, which tells the calls that really ran
// from those a CLI only says it ran.
func (h *home) ran() []string {
	h.t.Helper()
	return strings.Fields(h.read("project/ran.txt"))
}

// mark is a shell command that leaves a word in ran's list.
func mark(word string) string { return "echo " + word + " >> ran.txt" }

// find looks a program up where environ's PATH does; exec would use ours.
func (h *home) find(name string) string {
	h.t.Helper()
	if filepath.IsAbs(name) {
		return name
	}
	path := strings.TrimPrefix(h.environ(nil)[0], "PATH=")
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	h.t.Fatalf("there is no %s on %s", name, path)
	return ""
}
