package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is one of those that are compared.
type program struct {
	name string
	argv []string
}

type programs struct {
	empty, ours program
	reference   *program // nil: not given
}

func (p programs) list() []program {
	all := []program{p.empty, p.ours}
	if p.reference != nil {
		all = append(all, *p.reference)
	}
	return all
}

func findPrograms(o options, work string) (programs, error) {
	empty := filepath.Join(work, "empty")
	if err := buildEmpty(work, empty); err != nil {
		return programs{}, err
	}
	ours := o.binary
	if ours == "" {
		ours = filepath.Join(work, "checkrein")
		if err := goBuild("", ours, "./cmd/checkrein"); err != nil {
			return programs{}, err
		}
	}
	p := programs{
		empty: program{"empty Go", []string{empty}},
		ours:  program{"checkrein", []string{ours, "guard", "hook", "--harness", "claude-code"}},
	}
	if o.reference == "" {
		return p, nil
	}
	python, err := interpreter()
	if err != nil {
		return p, err
	}
	copied := filepath.Join(work, "reference")
	if err := copyReference(o.reference, copied); err != nil {
		return p, fmt.Errorf("copying the reference: %w", err)
	}
	p.reference = &program{"reference", []string{python, filepath.Join(copied, "guard.py"), "--harness", "claude-code"}}
	return p, nil
}

// copyReference puts the Python guard where Python may keep its compiled files,
// as it can where users install it: without them it takes twice as long.
func copyReference(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(from, "*.py"))
	if err == nil && len(sources) == 0 {
		err = fmt.Errorf("no Python files in %s", from)
	}
	for _, path := range sources {
		data, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(to, filepath.Base(path)), data, 0o666))
	}
	return err
}

// interpreter is python3 itself: version managers put a slow script of that name
// on the path.
func interpreter() (string, error) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return "", fmt.Errorf("finding python3 for the reference: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func buildEmpty(work, out string) error {
	dir := filepath.Join(work, "empty-src")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return goBuild(dir, out, ".")
}

// goBuild builds as releases are built, without the symbols that only debuggers
// read.
func goBuild(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w", pkg, err)
	}
	return nil
}
