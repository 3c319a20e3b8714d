package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// history is a user's repository made by a test.
type history struct {
	t   *testing.T
	dir string

	seconds int
}

func newHistory(t *testing.T, args ...string) *history {
	t.Helper()
	h := &history{t: t, dir: filepath.Join(t.TempDir(), "user's repo")}
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return h
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	h.seconds++ // commits of one second have no order among branches
	date := fmt.Sprintf("@%d +0000", 1_760_000_000+h.seconds)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=d@localhost",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=d@localhost", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files (contents by path; "→x" makes a link to x, "+x" an
// executable, "" removes) and commits them.
func (h *history) commit(message string, files map[string]string) string {
	h.t.Helper()
	write(h.t, h.dir, files)
	h.git("add", "-A", "-f")
	h.git("commit", "-q", "--allow-empty", "-m", message)
	return h.git("rev-parse", "HEAD")
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if err := errors.Join(os.RemoveAll(full), os.MkdirAll(filepath.Dir(full), 0o777)); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case text == "":
		case strings.HasPrefix(text, "→"):
			err = os.Symlink(strings.TrimPrefix(text, "→"), full)
		case strings.HasPrefix(text, "+"):
			err = os.WriteFile(full, []byte(text[1:]), 0o755)
		default:
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// files reads a folder back in the notation of commit, .git left out.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
		case d.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			out[rel] = "→" + target
			return err
		default:
			data, err := os.ReadFile(path)
			info, _ := d.Info()
			if info.Mode().Perm()&0o100 != 0 {
				data = append([]byte("+"), data...)
			}
			out[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func open(t *testing.T, h *history) *Repo {
	t.Helper()
	r, err := Open(t.Context(), h.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func copyOf(t *testing.T, r *Repo, commit string) *Workspace {
	t.Helper()
	ws, err := r.Copy(t.Context(), commit, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

var odd = map[string]string{
	"src/a.py": "def a():\n    return 1\n", "run.sh": "+#!/bin/sh\n", "link": "→src/a.py", "dangling": "→/nowhere/at all",
	"dir with space/é\tx\n.txt": "odd name\n", "crlf.txt": "a\r\nb\r\n", ".gitattributes": "*.lfs filter=lfs\n",
	"big.lfs": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "bin": "\x00\x01\x02", "deep/er/and/deeper/f": "x",
	"tests/test_a.py": "assert 1\n", "empty": "+",
}

func TestCopyHoldsTheCommitsFiles(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		h := newHistory(t, "--object-format="+format)
		first := h.commit("first", odd)
		h.commit("the fix", map[string]string{"src/a.py": "def a():\n    return 2\n", "run.sh": ""})
		r := open(t, h)
		for range 3 {
			ws := copyOf(t, r, first)
			if diff := cmp.Diff(odd, files(t, ws.Dir)); diff != "" {
				t.Errorf("%s: copy (-want +got):\n%s", format, diff)
			}
			in := &history{t: t, dir: ws.Dir}
			if got := in.git("status", "--porcelain"); got != "" {
				t.Errorf("git status in the copy: %s", got)
			}
			if got := in.git("log", "--all", "--format=%s|%an"); got != "Starting point for the task|checkrein" {
				t.Errorf("git log in the copy: %s", got)
			}
			if got := in.git("fsck", "--full", "--strict", "--unreachable"); strings.Contains(got, "unreachable") {
				t.Errorf("git fsck in the copy: %s", got)
			}
			if err := ws.Remove(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(ws.Dir); err == nil {
				t.Error("the copy is still there")
			}
		}
	}
}

func TestCopyHoldsNothingOfLaterCommits(t *testing.T) {
	h := newHistory(t)
	first := h.commit("first", odd)
	h.commit("the fix", map[string]string{"src/a.py": "SECRET FIX\n"})
	ws := copyOf(t, open(t, h), first)
	in := &history{t: t, dir: ws.Dir}
	for id := range strings.FieldsSeq(in.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		if strings.Contains(in.git("cat-file", "-p", id), "FIX") {
			t.Errorf("object %s tells the fix", id)
		}
	}
	err := filepath.WalkDir(filepath.Join(ws.Dir, ".git"), func(path string, d os.DirEntry, err error) error {
		if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(h.dir)) {
			t.Errorf("%s names the user's repository", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestDiffCountsWhatChanged(t *testing.T) {
	h := newHistory(t)
	first := h.commit("first", odd)
	ws := copyOf(t, open(t, h), first)
	if err := ws.Baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, ws.Dir, map[string]string{
		"src/a.py": "def a():\n    return 2\n", "run.sh": "", "new/file.py": "x\ny\n", "link": "→src/b.py", "bin": "\x00\x03", "tests/test_a.py": "+assert 1\n",
		"dangling": "now a file\n", "build/fix.py": "z\n", "__pycache__/a.pyc": "no", "x.pyc": "no", "node_modules/x/index.js": "no", "venv/pyvenv.cfg": "no",
		"venv/lib.py": "no",
	})
	p, err := ws.Diff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"bin", "build/fix.py", "dangling", "link", "new/file.py", "run.sh", "src/a.py", "tests/test_a.py"}
	if diff := cmp.Diff(want, p.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if p.Lines != 1+2+2+2+1+2 { // build/fix.py, dangling, link, new/file.py, run.sh, src/a.py
		t.Errorf("%d lines changed in\n%s", p.Lines, p.Text)
	}
	if got := p.Only(func(path string) bool { return path == "dangling" }); bytes.Count(got, []byte("diff --git")) != 2 {
		t.Errorf("a link that became a file: %s", got)
	}
	sameAfterApply(t, ws, first, p)
}

// sameAfterApply applies a patch to a fresh copy and compares.
func sameAfterApply(t *testing.T, ws *Workspace, commit string, p Patch) {
	t.Helper()
	fresh := copyOf(t, ws.repo, commit)
	if err := fresh.Apply(t.Context(), p.Text); err != nil {
		t.Fatal(err)
	}
	got := files(t, fresh.Dir)
	for path, text := range files(t, ws.Dir) {
		if slices.Contains(p.Files, path) && got[path] != text {
			t.Errorf("%s: %q, want %q", path, got[path], text)
		}
	}
	again, err := fresh.Diff(context.Background())
	if err != nil || !bytes.Equal(again.Text, p.Text) {
		t.Errorf("the patch taken again differs: %v\n%s", err, again.Text)
	}
}
