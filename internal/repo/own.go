package repo

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The one commit of a copy.
const (
	ownName    = "checkrein"
	ownEmail   = "checkrein@localhost"
	ownMessage = "Starting point for the task"
)

// ownGit makes the .git that a copy carries for the tools and the agent in it:
// one commit without a past, its objects in one pack. Nothing here ever reads it
// again. Objects are packed from the user's repository, which is only read.
func (r *Repo) ownGit(ctx context.Context, files []file) ([]ownFile, error) {
	dir, err := os.MkdirTemp(r.scratch.dir, "own-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	g, err := newGitDir(dir, r.format)
	if err != nil {
		return nil, err
	}
	commit, err := g.commitFiles(ctx, files)
	if err != nil {
		return nil, err
	}
	// Only now: an object that git would write and finds there gets a new date.
	g.alternates = r.objects
	if err := g.pack(ctx, commit); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"exclude": strings.Join(toolCaches(), "\n") + "\n", "attributes": asStored} {
		if err := os.WriteFile(filepath.Join(dir, "info", name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	return gather(dir)
}

// asStored keeps git in a copy from converting contents: they are there as the
// commit stores them, and `git status` would show every file that conversion
// changes.
const asStored = "* -text -ident -filter !working-tree-encoding\n"

// commitFiles commits files as they are. Their contents need not be there.
func (g *gitDir) commitFiles(ctx context.Context, files []file) (commit []byte, err error) {
	tree, err := g.writeTree(ctx, "index", files)
	if err != nil {
		return nil, err
	}
	if commit, err = g.run(ctx, nil, "commit-tree", tree, "-m", ownMessage); err != nil {
		return nil, err
	}
	return commit, os.WriteFile(filepath.Join(g.dir, "refs", "heads", "main"), commit, 0o666)
}

// pack packs what a commit needs.
func (g *gitDir) pack(ctx context.Context, commit []byte) error {
	// No search for deltas: those that exist are reused, and the rest is not worth the time.
	pack := filepath.Join(g.dir, "objects", "pack", "pack")
	if _, err := g.run(ctx, commit, "pack-objects", "-q", "--revs", "--window=0", pack); err != nil {
		return err
	}
	return g.dropLoose()
}

// dropLoose removes the loose objects, which are in the pack now.
func (g *gitDir) dropLoose() error {
	entries, err := os.ReadDir(filepath.Join(g.dir, "objects"))
	for _, e := range entries {
		if err == nil && len(e.Name()) == 2 {
			err = os.RemoveAll(filepath.Join(g.dir, "objects", e.Name()))
		}
	}
	return err
}

// gather opens every file below dir and leaves them without a name.
func gather(dir string) ([]ownFile, error) {
	var own []ownFile
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		own = append(own, ownFile{filepath.ToSlash(rel), info.Mode().Perm(), f, info.Size()})
		return err
	})
	return own, err
}

// gitDir is a git directory of ours, outside every copy. The git commands run on
// it see objects and an index, never files.
type gitDir struct {
	dir        string
	alternates string // another repository's objects to read from; "" for none
}

// newGitDir lays out an empty repository. `git init` would copy the user's
// template folder, hooks included.
func newGitDir(dir, format string) (*gitDir, error) {
	for _, sub := range []string{"objects/pack", "objects/info", "refs/heads", "refs/tags", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o777); err != nil {
			return nil, err
		}
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
	if format != "sha1" {
		config = strings.Replace(config, "version = 0", "version = 1", 1) + "[extensions]\n\tobjectformat = " + format + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o666); err != nil {
		return nil, err
	}
	return &gitDir{dir: dir}, os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o666)
}

// run runs git on the directory, with no settings but ours and no working tree.
func (g *gitDir) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	return output(g.command(ctx, "index", input, args...))
}

func (g *gitDir) command(ctx context.Context, index string, input []byte, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--git-dir=" + g.dir, "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.bare=true",
	}, args...)...)
	cmd.Dir = g.dir
	cmd.Stdin = bytes.NewReader(input)
	cmd.Env = append(plainEnviron(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_LITERAL_PATHSPECS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C", "GIT_INDEX_FILE="+filepath.Join(g.dir, index),
		"GIT_AUTHOR_NAME="+ownName, "GIT_AUTHOR_EMAIL="+ownEmail, "GIT_COMMITTER_NAME="+ownName, "GIT_COMMITTER_EMAIL="+ownEmail)
	if g.alternates != "" {
		cmd.Env = append(cmd.Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoteAlternate(g.alternates))
	}
	return cmd
}

// quoteAlternate spells a folder for a list that is cut at colons. Git knows the
// escapes of C, and takes every other byte as it is; those of Go for bytes that
// are no text it doesn't know.
func quoteAlternate(dir string) string {
	if strings.ContainsAny(dir, ":\"\n") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(dir) + `"`
	}
	return dir
}

// writeTree fills an index with files and writes its tree. The contents need
// not be there.
func (g *gitDir) writeTree(ctx context.Context, index string, files []file) (string, error) {
	if err := g.fillIndex(ctx, index, files); err != nil {
		return "", err
	}
	out, err := output(g.command(ctx, index, nil, "write-tree", "--missing-ok"))
	return strings.TrimSpace(string(out)), err
}

func (g *gitDir) fillIndex(ctx context.Context, index string, files []file) error {
	if err := os.Remove(filepath.Join(g.dir, index)); err != nil && !os.IsNotExist(err) {
		return err
	}
	var list bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&list, "%s %s\t%s\x00", f.mode, f.id, f.path)
	}
	_, err := output(g.command(ctx, index, list.Bytes(), "update-index", "-z", "--index-info"))
	return err
}
