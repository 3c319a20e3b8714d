package repo

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// baselined is a copy with its baseline taken, and the commit it is of.
func baselined(t *testing.T, files map[string]string) (*Workspace, string) {
	t.Helper()
	h := newHistory(t)
	commit := h.commit("first", files)
	ws := copyOf(t, open(t, h), commit)
	if err := ws.Baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ws, commit
}

var small = map[string]string{
	"src/a.py": "def a():\n    return 1\n", "tests/test_a.py": "assert 1\n", ".gitignore": "*.log\nout/\n", "keep/out/tracked.txt": "x\n",
}

// agent runs a shell line in a copy, as an agent would.
func agent(t *testing.T, ws *Workspace, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = ws.Dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@localhost", "MARK="+ws.Dir+".mark")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	_ = os.Remove(ws.Dir + ".mark") // what ran while the agent did is its own business
}

// TestNothingHidesAnEdit lets an agent edit one file and add another, and do
// something to its copy's git directory that hides edits from git or runs a
// program when git looks.
func TestNothingHidesAnEdit(t *testing.T) {
	const edit = "echo '# fixed' >> src/a.py; mkdir -p build; echo new > build/fix.py; "
	const program = `printf '#!/bin/sh\necho ran >> %s\ncat\n' "$MARK" > /tmp/evil.$$; chmod +x /tmp/evil.$$; mv /tmp/evil.$$ "$PWD.evil"; `
	tests := []struct{ name, line string }{
		{"nothing", ""},
		{"assume-unchanged", "git update-index --assume-unchanged src/a.py"},
		{"skip-worktree", "git update-index --skip-worktree src/a.py"},
		{"commit", "git add -A -f; git commit -q -m mine"},
		{"amend", "git add -A -f; git commit -q --amend -m mine; git gc -q --prune=now"},
		{"deleted .git", "rm -rf .git"},
		{".git as a file", "rm -rf .git; echo 'gitdir: /nowhere' > .git"},
		{".git as a link", "rm -rf .git; ln -s /nowhere .git"},
		{"broken index", "echo broken > .git/index"},
		{"fsmonitor", program + `git config core.fsmonitor "$PWD.evil"`},
		{"filter", program + `git config filter.f.clean "$PWD.evil"; git config filter.f.smudge "$PWD.evil"; mkdir -p .git/info; echo '* filter=f' > .git/info/attributes`},
		{"external diff", program + `git config diff.external "$PWD.evil"; git config core.pager "$PWD.evil"; git config diff.d.textconv "$PWD.evil"; mkdir -p .git/info; echo '* diff=d' > .git/info/attributes`},
		{"hooks", program + `mkdir -p .git/hooks; for h in pre-commit post-index-change post-checkout reference-transaction; do cp "$PWD.evil" .git/hooks/$h; done`},
		{"worktree elsewhere", "mkdir ../elsewhere; git config core.worktree ../../elsewhere"},
		{"exclude everything", "mkdir -p .git/info; echo '*' > .git/info/exclude; git config core.excludesFile .git/info/exclude"},
		{"bare", "git config core.bare true"},
		{"sparse checkout", "git config core.sparseCheckout true; mkdir -p .git/info; echo nothing > .git/info/sparse-checkout"},
		{"nested repository", "git init -q build; git -C build add -A; git -C build commit -q -m nested; git init -q src"},
		{"unreadable", "chmod 000 src/a.py build/fix.py; chmod 000 src build"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ws, commit := baselined(t, small)
			agent(t, ws, edit+tt.line)
			p, err := ws.Diff(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"build/fix.py", "src/a.py"}, p.Files); diff != "" || p.Lines != 2 {
				t.Errorf("%d lines in files (-want +got):\n%s", p.Lines, diff)
			}
			sameAfterApply(t, ws, commit, p)
			if err := ws.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(small, files(t, ws.Dir)); diff != "" {
				t.Errorf("after a reset (-want +got):\n%s", diff)
			}
			if _, err := os.Lstat(ws.Dir + ".mark"); err == nil {
				t.Error("a program of the agent ran")
			}
			if err := ws.Remove(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAttributesChangeNothing: an agent's or a repository's attributes convert no
// content and hide no line.
func TestAttributesChangeNothing(t *testing.T) {
	ws, commit := baselined(t, map[string]string{"a.txt": "1\r\n2\r\n", "b.txt": "1\n", ".gitattributes": "*.md text\n"})
	write(t, ws.Dir, map[string]string{".gitattributes": "* text=auto eol=lf -diff ident working-tree-encoding=UTF-16\n", "a.txt": "1\n2\n", "b.txt": "$Id$\n"})
	p, err := ws.Diff(t.Context())
	if err != nil || p.Lines != 2+4+2 || len(p.Files) != 3 {
		t.Errorf("%d lines, %v, %v\n%s", p.Lines, p.Files, err, p.Text)
	}
	sameAfterApply(t, ws, commit, p)
}

func TestIgnoreRulesAreTheBaselines(t *testing.T) {
	ws, _ := baselined(t, small)
	write(t, ws.Dir, map[string]string{
		".gitignore": "src/\nnew.py\n", "x.log": "ignored before", "src/out/y": "ignored before", "new.py": "hidden?\n", "keep/out/tracked.txt": "y\n",
		"src/.gitignore": "*\n", "src/b.py": "hidden?\n",
	})
	p, err := ws.Diff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitignore", "keep/out/tracked.txt", "new.py", "src/.gitignore", "src/b.py"}
	if diff := cmp.Diff(want, p.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestBaselineIsTakenAfterSetup(t *testing.T) {
	h := newHistory(t)
	commit := h.commit("first", small)
	ws := copyOf(t, open(t, h), commit)
	write(t, ws.Dir, map[string]string{"generated/version.py": "1\n", "src/a.py": "made by setup\n", ".venv/lib.py": "x", "tests/test_a.py": ""})
	if err := ws.Baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p, err := ws.Diff(t.Context()); err != nil || len(p.Files) != 0 || len(p.Text) != 0 {
		t.Errorf("nothing changed, yet %v, %v\n%s", p.Files, err, p.Text)
	}
	write(t, ws.Dir, map[string]string{"generated/version.py": "2\n", "src/a.py": "made by the agent\n"})
	p, err := ws.Diff(t.Context())
	if diff := cmp.Diff([]string{"generated/version.py", "src/a.py"}, p.Files); err != nil || diff != "" || p.Lines != 4 {
		t.Errorf("%v, %d lines, files (-want +got):\n%s", err, p.Lines, diff)
	}
	if err := ws.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".gitignore": small[".gitignore"], "keep/out/tracked.txt": "x\n", "generated/version.py": "1\n", "src/a.py": "made by setup\n"}
	if diff := cmp.Diff(want, files(t, ws.Dir)); diff != "" {
		t.Errorf("after a reset (-want +got):\n%s", diff)
	}
	if err := ws.Apply(t.Context(), p.Text); err != nil {
		t.Error(err)
	}
}

func TestPlantedLinksAreNeverFollowed(t *testing.T) {
	for _, line := range []string{
		`rm -r tests; ln -s "$OUT" tests`, `rm tests/test_a.py; ln -s "$OUT/victim" tests/test_a.py`, `rm -r tests; ln -s .. tests`,
		`rm tests/test_a.py; ln "$OUT/victim" tests/test_a.py`, `rm -r tests; echo file > tests`, `rm -r tests; mkfifo tests`,
		`rm tests/test_a.py; mkdir -p tests/test_a.py/deep; chmod 500 tests/test_a.py`,
	} {
		out := t.TempDir()
		write(t, out, map[string]string{"victim": "untouched", "test_a.py": "untouched"})
		h := newHistory(t)
		first := h.commit("first", small)
		second := h.commit("second", map[string]string{"tests/test_a.py": "assert 2\n", "tests/gone.py": "x\n"})
		ws := copyOf(t, open(t, h), first)
		if err := ws.Baseline(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Setenv("OUT", out)
		agent(t, ws, line)
		p, err := ws.Diff(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := ws.WriteFiles(t.Context(), second, []string{"tests/test_a.py", "tests/gone.py", "../escape", "/tmp/escape", ".git/config", "tests/.GIT/x"}); err != nil {
			t.Fatal(line, err)
		}
		if got := files(t, ws.Dir); got["tests/test_a.py"] != "assert 2\n" || got["tests/gone.py"] != "x\n" {
			t.Errorf("%s: the hidden tests are %q", line, got)
		}
		if err := ws.WriteFiles(t.Context(), first, []string{"tests/gone.py"}); err != nil {
			t.Fatal(err)
		}
		if err := ws.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := ws.Apply(t.Context(), p.Text); err != nil {
			t.Errorf("%s: %v\n%s", line, err, p.Text)
		}
		if err := ws.Remove(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(map[string]string{"victim": "untouched", "test_a.py": "untouched"}, files(t, out)); diff != "" {
			t.Errorf("%s: outside the copy (-want +got):\n%s", line, diff)
		}
	}
}

// TestAReplacedCopyIsNotFollowed: an agent moves its copy away and links its
// place to the user's repository.
func TestAReplacedCopyIsNotFollowed(t *testing.T) {
	h := newHistory(t)
	commit := h.commit("first", small)
	ws := copyOf(t, open(t, h), commit)
	if err := ws.Baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(ws.Dir, ws.Dir+".away"), os.Symlink(h.dir, ws.Dir)); err != nil {
		t.Fatal(err)
	}
	p, err := ws.Diff(t.Context())
	if err != nil || len(p.Files) != len(small) {
		t.Errorf("all files are gone, yet %v, %v", p.Files, err)
	}
	write(t, h.dir, map[string]string{"untracked": "mine\n"})
	if err := ws.WriteFiles(t.Context(), commit, []string{"untracked"}); err == nil {
		t.Error("writing through the link went well")
	}
	if err := ws.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(small, files(t, ws.Dir)); diff != "" {
		t.Errorf("after a reset (-want +got):\n%s", diff)
	}
	if err := ws.Remove(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, h.dir)["untracked"]; got != "mine\n" {
		t.Error("the user's file is gone")
	}
}

func TestAPatchThatDoesNotFit(t *testing.T) {
	ws, commit := baselined(t, small)
	write(t, ws.Dir, map[string]string{"src/a.py": "changed\n"})
	p, err := ws.Diff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := &history{t: t, dir: ws.repo.Top}
	other := h.commit("other", map[string]string{"src/a.py": "entirely\nelse\n"})
	for _, patch := range []string{
		string(p.Text), "no patch at all", strings.ReplaceAll(string(p.Text), "src/a.py", "../../src/a.py"), strings.ReplaceAll(string(p.Text), "src/a.py", ".git/config"),
	} {
		fresh := copyOf(t, ws.repo, other)
		if err := fresh.Apply(t.Context(), []byte(patch)); !errors.Is(err, ErrPatch) {
			t.Errorf("applying: %v\n%s", err, patch)
		}
	}
	if err := copyOf(t, ws.repo, commit).Apply(t.Context(), nil); err != nil {
		t.Errorf("applying nothing: %v", err)
	}
}

// TestForgedTreesStayInside copies a commit whose tree has a link and a folder of
// one name, and a .git folder.
func TestForgedTreesStayInside(t *testing.T) {
	h := newHistory(t)
	out := t.TempDir()
	h.commit("first", map[string]string{"f": "x\n"})
	object := func(kind string, data []byte) string {
		cmd := exec.Command("git", "hash-object", "-w", "-t", kind, "--literally", "--stdin")
		cmd.Dir, cmd.Stdin = h.dir, bytes.NewReader(data)
		id, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(id))
	}
	entry := func(mode, name, id string) string {
		raw := make([]byte, 0, 20)
		for i := 0; i < len(id); i += 2 {
			raw = append(raw, unhex(id[i])<<4|unhex(id[i+1]))
		}
		return mode + " " + name + "\x00" + string(raw)
	}
	blob, link := object("blob", []byte("evil\n")), object("blob", []byte(out))
	below := object("tree", []byte(entry("100644", "x", blob)))
	tree := object("tree", []byte(entry("40000", ".git", below)+entry("120000", "a", link)+entry("40000", "a", below)+entry("100644", "ok", blob)))
	commit := h.git("commit-tree", tree, "-m", "forged")
	ws := copyOf(t, open(t, h), commit)
	if got := files(t, out); len(got) != 0 {
		t.Errorf("written outside: %v", got)
	}
	if diff := cmp.Diff(map[string]string{"a": "→" + out, "ok": "evil\n"}, files(t, ws.Dir)); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
}

func unhex(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

func TestBigFilesStayOutOfThePatch(t *testing.T) {
	ws, _ := baselined(t, small)
	for _, name := range []string{"core", "src/a.py"} {
		if err := os.Truncate(touch(t, filepath.Join(ws.Dir, name)), tooBig+1); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ws.Diff(t.Context())
	if err != nil || len(p.Text) != 0 || !slices.Equal(p.Big, []string{"core", "src/a.py"}) || !slices.Equal(p.Files, p.Big) {
		t.Errorf("%v, %v, %v", p.Big, p.Files, err)
	}
}

func touch(t *testing.T, path string) string {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGitVariablesOfACallerMeanNothing: a drive that a git hook starts finds the
// hook's variables set.
func TestGitVariablesOfACallerMeanNothing(t *testing.T) {
	other := newHistory(t)
	other.commit("other", map[string]string{"other": "x\n"})
	h := newHistory(t)
	commit := h.commit("first", small)
	before := other.git("status", "--porcelain", "--branch") + other.git("log", "--all", "--oneline")
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.dir, ".git", "index"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	ws := copyOf(t, open(t, h), commit)
	write(t, ws.Dir, map[string]string{"new": "x\n"})
	if p, err := ws.Diff(t.Context()); err != nil || !slices.Equal(p.Files, []string{"new"}) {
		t.Errorf("%v, %v", p.Files, err)
	}
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		os.Unsetenv(name)
	}
	if after := other.git("status", "--porcelain", "--branch") + other.git("log", "--all", "--oneline"); after != before {
		t.Errorf("the other repository changed: %s", after)
	}
}

// TestSweepRemovesWhatAKilledProcessLeft uses a lock given up like a dead
// process's, and one still held.
func TestSweepRemovesWhatAKilledProcessLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	h := newHistory(t)
	commit := h.commit("first", small)
	alive, dead := open(t, h), open(t, h)
	kept, left := copyOf(t, alive, commit), copyOf(t, dead, commit)
	beside := BesideCopy(left.Dir)
	if err := errors.Join(os.Mkdir(beside, 0o700), syscall.Flock(int(dead.scratch.owner.Fd()), syscall.LOCK_UN)); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		kept.Dir: true, alive.scratch.dir: true, left.Dir: false, dead.scratch.dir: false, beside: false,
	} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: there: %v, want %v", path, err == nil, want)
		}
	}
}
