package repo

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// A repository of another user, or a computer without git, was called "not a git
// repository". What git says is from git 2.39 and 2.35.
func TestWhyARepositoryIsNotOpened(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{fmt.Errorf("starting git: %w", &exec.Error{Name: "git", Err: exec.ErrNotFound}), ErrNoGit},
		{&gitError{"rev-parse", "fatal: detected dubious ownership in repository at '/x'"}, ErrOwner},
		{&gitError{"rev-parse", "fatal: unsafe repository ('/x' is owned by someone else)"}, ErrOwner},
		{&gitError{"rev-parse", "fatal: this operation must be run in a work tree"}, ErrBare},
		{&gitError{"rev-parse", "fatal: not a git repository (or any of the parent directories): .git"}, ErrNoRepository},
		{nil, ErrNoRepository},
	} {
		if got := notOpened(c.err); !errors.Is(got, c.want) {
			t.Errorf("%v: %v, want %v", c.err, got, c.want)
		}
	}
}

// Go quotes bytes that are no text in a way that git can't read, so the commits
// of a repository below such a folder could not be copied.
func TestRepositoryBelowAnyName(t *testing.T) {
	for _, name := range []string{"a:\xff", "\"\xfe", "a\n\x01:", `\:`, "\"\u00a0"} {
		h := &history{t: t, dir: filepath.Join(t.TempDir(), name)}
		write(t, filepath.Dir(h.dir), map[string]string{name + "/file": "text"})
		h.git("init", "-q", "-b", "main")
		head := h.commit("Start", nil)
		r, err := Open(t.Context(), h.dir)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		defer r.Close()
		if _, err := r.Copy(t.Context(), head, ""); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
