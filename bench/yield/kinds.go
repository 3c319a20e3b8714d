package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The troubles.
const (
	none   = "none"
	red    = "one test fails"
	flaky  = "one test fails every other time"
	panics = "one test panics, and its package with it"
	nested = "a nested suite fails on purpose, exit code 0"
	skips  = "a test is skipped"
	params = "names of tests hold addresses of objects"
	gone   = "each fix renames a test that passed"
)

// kind is a runner and how its repositories are written.
type kind struct {
	runner   string
	needs    []string // a command that succeeds where the runner is installed
	command  string
	setup    string
	fixed    map[string]string // files that never change
	source   string            // file of the functions
	tests    string            // file of the tests
	head     [2]string         // how both files start
	function func(n int) string
	test     func(n int) string
	tail     string // how the file of the tests ends
	close    string // and that of the functions
	troubles []string
	trouble  map[string]map[string]string // files by trouble; NN in them is the number of the commit
}

func (k kind) installed(ctx context.Context) bool {
	return exec.CommandContext(ctx, k.needs[0], k.needs[1:]...).Run() == nil
}

// build makes a repository with so many fixes, each one function and its test.
func (k kind) build(ctx context.Context, dir, trouble string, commits int) (string, error) {
	repo, err := os.MkdirTemp(dir, "repo-*")
	if err != nil {
		return "", err
	}
	if err := git(ctx, repo, "init", "-q", "-b", "main"); err != nil {
		return "", err
	}
	for n := 0; n <= commits; n++ {
		files := map[string]string{k.source: k.head[0], k.tests: k.head[1]}
		for i := range n + 1 {
			files[k.source] += k.function(i)
			files[k.tests] += k.test(i)
		}
		files[k.source] += k.close
		files[k.tests] += k.tail
		for _, more := range []map[string]string{k.fixed, k.trouble[trouble]} {
			for name, text := range more {
				files[name] = strings.ReplaceAll(text, "NN", fmt.Sprint(n))
			}
		}
		if err := commit(ctx, repo, files, fmt.Sprintf("Add function F%d", n)); err != nil {
			return "", err
		}
	}
	return repo, nil
}

func commit(ctx context.Context, repo string, files map[string]string, message string) error {
	for name, text := range files {
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := git(ctx, repo, "add", "-A"); err != nil {
		return err
	}
	return git(ctx, repo, "-c", "user.name=Dev", "-c", "user.email=dev@localhost", "commit", "-q", "-m", message)
}

func git(ctx context.Context, repo string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = repo
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return nil
}
