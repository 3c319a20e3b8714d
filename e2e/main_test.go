//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// tools is where the programs under test are: absolute paths.
type tools struct {
	checkrein string // the binary under test
	clis      string // folder with claude, codex, gemini
	node      string // folder with node, which two of them need
	work      string // folder for what must be out of the temporary folder, or outlive a case
}

// kit is set once, before any case runs.
var kit tools

func TestMain(m *testing.M) {
	if agentAbove() {
		os.Exit(orphaned())
	}
	var err error
	if kit, err = prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// prepare installs the CLIs and builds the binary. It stays out of the
// temporary folder, because the guard refuses to install from there.
func prepare() (tools, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return tools{}, err
	}
	if err := do(root, "sh", ".ci/npm-ci", "e2e", "clis"); err != nil {
		return tools{}, fmt.Errorf("installing the agent CLIs: %w", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return tools{}, err
	}
	t := tools{
		clis: filepath.Join(root, ".build/clis/node_modules/.bin"), node: filepath.Dir(node),
		work: filepath.Join(root, ".build/e2e"),
	}
	if err := os.MkdirAll(t.work, 0o755); err != nil {
		return tools{}, err
	}
	if t.checkrein = os.Getenv("CHECKREIN_E2E_BINARY"); t.checkrein != "" {
		return t, nil
	}
	t.checkrein = filepath.Join(t.work, "checkrein")
	if err := do(root, "go", "build", "-o", t.checkrein, "./cmd/checkrein"); err != nil {
		return tools{}, fmt.Errorf("building checkrein: %w", err)
	}
	return t, nil
}

func do(dir string, argv ...string) error {
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir, c.Stdout, c.Stderr = dir, os.Stderr, os.Stderr
	return c.Run()
}
