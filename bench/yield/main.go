// Command yield shows what mining keeps of generated repositories when the whole
// suite decides and when single tests do. Each repository is well kept but for
// one trouble that real ones have, and every candidate in it is a real fix.
//
//	go run ./bench/yield [-commits 4] [-only go,pytest] [-node-modules DIR]
//
// It builds checkrein and runs `drive mine --validate` on each. Runners that are
// not installed are left out; jest, vitest and mocha need a folder that has them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

func main() {
	commits := flag.Int("commits", 4, "fixes in each repository")
	only := flag.String("only", "", "runners, with commas between")
	modules := flag.String("node-modules", "", "a node_modules folder with jest, vitest and mocha")
	flag.Parse()
	if err := run(context.Background(), *commits, *only, *modules); err != nil {
		fmt.Fprintln(os.Stderr, "yield:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, commits int, only, modules string) error {
	dir, err := os.MkdirTemp("", "yield-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "checkrein")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/checkrein").CombinedOutput(); err != nil {
		return fmt.Errorf("building checkrein: %w\n%s", err, out)
	}
	fmt.Println("| runner | trouble at HEAD | candidates | kept by suite | kept by tests | tests that tell |")
	fmt.Println("|---|---|---|---|---|---|")
	sum := [3]int{}
	for _, k := range kinds(modules) {
		if only != "" && !strings.Contains(","+only+",", ","+k.runner+",") || !k.installed(ctx) {
			continue
		}
		for _, trouble := range k.troubles {
			repo, err := k.build(ctx, dir, trouble, commits)
			if err != nil {
				return err
			}
			suite, err := mine(ctx, program, repo, k, "suite")
			if err != nil {
				return err
			}
			tests, err := mine(ctx, program, repo, k, "tests")
			if err != nil {
				return err
			}
			fmt.Printf("| %s | %s | %d | %s | %s | %s |\n", k.runner, trouble, commits, suite, tests, tests.tell())
			sum[0], sum[1], sum[2] = sum[0]+commits, sum[1]+len(suite.Tasks), sum[2]+len(tests.Tasks)
		}
	}
	fmt.Printf("| **sum** | | %d | %d | %d | |\n", sum[0], sum[1], sum[2])
	return nil
}

// mined is what drive mine --json says.
type mined struct {
	Tasks []struct {
		FailToPass []string `json:"fail_to_pass"`
	} `json:"tasks"`
	stopped bool // HEAD did not pass
}

func (m mined) String() string {
	if m.stopped {
		return "0 (stops at HEAD)"
	}
	return fmt.Sprint(len(m.Tasks))
}

// tell is how many tests tell a fix, by task.
func (m mined) tell() string {
	var counts []string
	for _, t := range m.Tasks {
		counts = append(counts, fmt.Sprint(len(t.FailToPass)))
	}
	return strings.Join(counts, ", ")
}

func mine(ctx context.Context, program, repo string, k kind, grading string) (m mined, err error) {
	args := []string{"drive", "mine", "--validate", "--json", "--seal", "off", "--since", "2000-01-01", "--grading", grading, "--reruns", "3", "--test-cmd", k.command}
	if k.setup != "" {
		args = append(args, "--setup-cmd", k.setup)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = repo
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 2 && strings.Contains(failed.String(), "fails at HEAD") {
		return mined{stopped: true}, nil
	}
	if err != nil {
		return m, fmt.Errorf("mining %s by %s: %w\n%s", k.runner, grading, err, failed.String())
	}
	return m, json.Unmarshal(out, &m)
}
