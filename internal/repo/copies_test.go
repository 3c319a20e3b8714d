package repo

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything is a commit with all that a tree can hold: contents by path, with
// the mode before a colon.
func everything() map[string]string {
	deep := strings.Repeat("d/", 120)
	random := rand.New(rand.NewPCG(7, 7))
	noise := func(size int) string {
		out := make([]byte, size)
		for i := range out {
			out[i] = byte(random.Uint32())
		}
		return string(out)
	}
	files := map[string]string{
		"run.sh": "100755:#!/bin/sh\n", "bin/empty tool": "100755:", "empty": "100644:", "no newline": "100644:x", "crlf.txt": "100644:a\r\nb\r\n",
		"mixed.txt": "100644:a\r\nb\n", "ident.c": "100644:$Id$ $Id: 123 $\n", "utf16.txt": "100644:\xff\xfea\x00", "pointer.lfs": "100644:version https://git-lfs.github.com/spec/v1\n",
		".gitattributes": "100644:* text=auto eol=crlf\n*.c ident\n*.lfs filter=lfs\nrun.sh export-ignore\nempty export-subst\nutf16.txt working-tree-encoding=UTF-16\n",
		".gitignore":     "100644:*\n", ".gitmodules": "100644:[submodule \"x\"]\n", ".github/x.yml": "100644:on: push\n", "sub/.gitattributes": "100644:* -text\n",
		"-rf": "100644:leading dash\n", "--help/-x": "100755:y", " ": "100644:blank\n", "new\nline\n": "100644:\n", "tab\t\"quote'\\back": "100644:q\n", ":(top)x": "100644:magic\n",
		"*": "100644:star\n", "[a]?": "100644:glob\n", "caf\xe9": "100644:latin\n", "\xff\xfe/\x80": "100755:bytes\n", "nfc-\u00e9": "100644:1\n", "nfd-e\u0301": "100644:2\n",
		"UPPER": "100644:1\n", "upper": "100644:2\n", strings.Repeat("n", 255): "100644:long name\n", deep + "bottom": "100644:deep\n", deep + "link": "120000:../bottom",
		// Git sorts a folder as if its name ended in a slash.
		"a/b": "100644:1\n", "a.b": "100644:2\n", "a-b": "100644:3\n", "a0": "100644:4\n", "ab": "100644:5\n",
		"links/file": "120000:../run.sh", "links/folder": "120000:../a", "links/dangling": "120000:/nowhere/at all", "links/absolute": "120000:/etc", "links/self": "120000:self",
		"links/out": "120000:../../../../../..", "links/bytes\xff": "120000:\xff\n\xfe", "links/long": "120000:" + strings.Repeat("x", 1000), "links/to .git": "120000:../.git",
		"same/1": "100644:twice", "same/2": "100755:twice", "same/3": "120000:twice", "big/zeros": "100644:" + strings.Repeat("\x00", 1<<20),
	}
	for _, size := range []int{1, block - 1, block, block + 1, shareFrom - 1, shareFrom, shareFrom + 1, 128 << 10, 128<<10 + 1, 5<<20 + 77} {
		files[fmt.Sprintf("big/%d", size)] = "100644:" + noise(size)
	}
	for i := range 300 {
		files[fmt.Sprintf("many/%d/%d.py", i%17, i)] = fmt.Sprintf("100644:%d\n%s", i, noise(i))
	}
	return files
}

// commitOf commits files as they are, which no file system has to be able to hold.
func (h *history) commitOf(files map[string]string) string {
	h.t.Helper()
	var in bytes.Buffer
	in.WriteString("commit refs/heads/main\ncommitter D <d@localhost> 1760000000 +0000\ndata 1\nx\n")
	for path, file := range files {
		mode, text, _ := strings.Cut(file, ":")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
		fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, quoted, len(text), text)
	}
	cmd := exec.Command("git", "-C", h.dir, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %s", err, out)
	}
	return h.git("rev-parse", "main")
}

// asGitWrites lets git itself write a commit, from a clone in which no attribute
// means anything.
func (h *history) asGitWrites(commit string) string {
	h.t.Helper()
	dir := h.t.TempDir()
	out, own := filepath.Join(dir, "out"), filepath.Join(dir, "own.git")
	h.git("clone", "-q", "--bare", h.dir, own)
	write(h.t, own, map[string]string{"info/attributes": noAttributes})
	if err := os.Mkdir(out, 0o700); err != nil {
		h.t.Fatal(err)
	}
	for _, args := range [][]string{{"read-tree", commit}, {"checkout-index", "-a", "-q"}} {
		h.git(append([]string{"--git-dir=" + own, "--work-tree=" + out, "-c", "core.bare=false", "-c", "core.autocrlf=false"}, args...)...)
	}
	return out
}

// tree is all that is below a folder but its .git: modes, links and contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if rel == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, read := []byte(nil), error(nil)
		switch {
		case info.Mode().IsRegular():
			text, read = os.ReadFile(path)
		case info.Mode()&os.ModeSymlink != 0:
			var target string
			target, read = os.Readlink(path)
			text = []byte(target)
		}
		all[rel] = info.Mode().String() + ":" + string(text)
		return read
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sameTree(t *testing.T, what string, want map[string]string, dir string) {
	t.Helper()
	got := tree(t, dir)
	for path, file := range want {
		if got[path] != file {
			t.Errorf("%s: %.80q is %.80q, want %.80q", what, path, got[path], file)
		}
		delete(got, path)
	}
	for path := range got {
		t.Errorf("%s: %.80q is not in the commit", what, path)
	}
}

// soundGit checks a copy's own git repository with git.
func soundGit(t *testing.T, what, dir string, tree string) {
	t.Helper()
	in := &history{t: t, dir: dir}
	got := map[string]string{
		"status": in.git("-c", "core.quotePath=false", "status", "--porcelain", "--ignored=no"), "commits": in.git("rev-list", "--count", "--all", "--reflog"),
		"fsck": in.git("fsck", "--full", "--strict", "--no-dangling"), "tree": in.git("rev-parse", "HEAD^{tree}"), "refs": in.git("for-each-ref", "--format=%(refname)"),
		"loose": strings.Fields(in.git("count-objects"))[0],
	}
	want := map[string]string{"status": "", "commits": "1", "fsck": "", "tree": tree, "refs": "refs/heads/main", "loose": "0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: its own git (-want +got):\n%s", what, diff)
	}
	for _, name := range []string{"objects/info/alternates", "hooks", "logs", "packed-refs", "shallow", "worktrees"} {
		if _, err := os.Lstat(filepath.Join(dir, ".git", name)); err == nil {
			t.Errorf("%s: it has a .git/%s", what, name)
		}
	}
}

// TestCopiesAreTheCommit: the first copy, the second one from the template, one
// written without sharing blocks, and one that was reset hold what git itself
// writes of the commit.
func TestCopiesAreTheCommit(t *testing.T) {
	sharingCopies(t, func(t *testing.T, s *sharing) {})
}

// sharingCopies makes the copies in the current temporary folder, and hands what
// is known of sharing blocks to check.
func sharingCopies(t *testing.T, check func(*testing.T, *sharing)) {
	t.Helper()
	h := newHistory(t)
	files := everything()
	commit := h.commitOf(files)
	id := h.git("rev-parse", commit+"^{tree}")
	want := tree(t, h.asGitWrites(commit))
	if there := len(files); len(want) < there {
		t.Fatalf("git writes %d of %d files", len(want), there)
	}
	r := open(t, h)
	first, second := copyOf(t, r, commit), copyOf(t, r, commit)
	shared, plain, again := t.TempDir(), t.TempDir(), copyOf(t, r, commit)
	template, err := r.template(t.Context(), commit)
	if err != nil {
		t.Fatal(err)
	}
	tried, refused := &sharing{}, &sharing{}
	refused.refused.Store(true)
	for dir, s := range map[string]*sharing{shared: tried, plain: refused} {
		if err := template.writeTo(t.Context(), r.blobs, dir, s); err != nil {
			t.Fatal(err)
		}
	}
	check(t, tried)
	agent(t, again, "rm -rf .git a links; chmod 000 many; echo x >run.sh")
	if err := again.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	for what, dir := range map[string]string{"first": first.Dir, "second": second.Dir, "shared": shared, "not shared": plain, "reset": again.Dir} {
		sameTree(t, what, want, dir)
		soundGit(t, what, dir, id)
	}
}
