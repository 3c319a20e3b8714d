package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
)

// RunTests runs a test command in a copy. Everything but the line and the folder
// is taken from c.
//
// No run reads Python bytecode of an earlier one: Python trusts a cached file
// when its source has the same size and the same second of change, and a file
// put back right after a run has both. So the copy's __pycache__ folders are
// deleted, and the run gets a new empty folder for bytecode, which also covers
// interpreters that keep it elsewhere.
func RunTests(ctx context.Context, testCmd, dir string, c proc.Command) (proc.Result, error) {
	if err := dropBytecode(dir); err != nil {
		return proc.Result{}, fmt.Errorf("deleting Python bytecode: %w", err)
	}
	cache := repo.BesideCopy(dir)
	if err := os.Mkdir(cache, 0o700); err != nil {
		return proc.Result{}, fmt.Errorf("making a folder for Python bytecode: %w", err)
	}
	defer os.RemoveAll(cache)
	c.Argv, c.Shell, c.Dir, c.Kind, c.Needs = nil, testCmd, dir, proc.Tests, append(c.Needs, cache)
	const name = "PYTHONPYCACHEPREFIX="
	env := []string{name + cache}
	for _, entry := range c.Env {
		if !strings.HasPrefix(entry, name) {
			env = append(env, entry)
		}
	}
	c.Env = env
	return proc.Run(ctx, c)
}

// dropBytecode deletes every __pycache__ of a copy, except in the folders where
// installed packages are.
func dropBytecode(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if d == nil || !d.IsDir() {
			return nil
		}
		switch d.Name() {
		case ".git", "node_modules", ".venv", "venv":
			return fs.SkipDir
		case "__pycache__":
			_ = os.RemoveAll(path) // what can't be deleted is covered by the new folder
			return fs.SkipDir
		}
		return nil
	})
}
