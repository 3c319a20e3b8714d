package ps

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkrein/internal/caller"
	"checkrein/internal/harness/registry"
	"checkrein/internal/untested"
)

// TestMain plays the programs of a chain: each word after "chain" is one that
// the program before it starts, without any variable. The last one says whether
// an agent is above it.
func TestMain(m *testing.M) {
	for i, arg := range os.Args {
		if arg == "chain" {
			os.Exit(link(os.Args[i+1:]))
		}
	}
	os.Exit(m.Run())
}

func link(rest []string) int {
	if len(rest) == 0 {
		say()
		return 0
	}
	if rest[0] == "orphan" {
		for strconv.Itoa(os.Getppid()) == rest[1] {
			time.Sleep(time.Millisecond)
		}
		say()
		return 0
	}
	argv := strings.Split(rest[0], " ")
	cmd := exec.Command(argv[0], append(append(argv[1:], "chain"), rest[1:]...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{}, os.Stdout, os.Stderr
	if len(rest) > 1 && rest[1] == "orphan" {
		cmd.Args = append(cmd.Args, strconv.Itoa(os.Getpid()))
		_ = cmd.Start() // and end: nobody waits for the child
		return 0
	}
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func say() {
	got, inside := caller.Agent(registry.Traits(), os.Getenv, Processes(), os.Getpid())
	fmt.Printf("%v %s %d\n", inside, got.Agent, caller.Count(registry.Traits(), Processes(), os.Getpid()))
}

// program is this test under another name.
func program(t *testing.T, folder, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	path := filepath.Join(folder, name)
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRealProcesses(t *testing.T) {
	if runtime.GOOS == "windows" {
		untested.Here(t, "on Windows processes are not looked at")
	}
	if caller.Count(registry.Traits(), Processes(), os.Getpid()) > 0 {
		untested.Here(t, "an agent runs this test, so all in it runs below one")
	}
	dir := t.TempDir()
	probe, claude, node := program(t, dir, "probe"), program(t, dir, "claude"), program(t, dir, "node")
	codex := program(t, dir, "codex")
	for _, c := range []struct {
		name  string
		env   []string
		chain []string
		want  string
	}{
		{"nobody", nil, []string{probe}, "false  0"},
		{"the tree alone", nil, []string{claude, probe}, "true Claude Code 1"},
		{"further up", nil, []string{claude, probe, probe, probe}, "true Claude Code 1"},
		{"a script", nil, []string{node + " /x/node_modules/.bin/codex", probe}, "true Codex 1"},
		{"launcher and program", nil, []string{node + " /x/node_modules/.bin/codex", codex, probe}, "true Codex 1"},
		{"agent in agent", nil, []string{claude, probe, codex, probe}, "true Codex 2"},
		{"the variable alone", []string{"CLAUDECODE=1"}, nil, "true Claude Code 0"},
		{"cut off from its parents it is not known", nil, []string{claude, probe, "orphan"}, "false  0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(probe, append([]string{"chain"}, c.chain...)...)
			cmd.Env = append([]string{}, c.env...)
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// TestList: ps itself, which Linux has, too, finds this test and its parent.
func TestList(t *testing.T) {
	if _, err := os.Stat("/bin/ps"); err != nil {
		untested.Here(t, "there is no ps")
	}
	p, ok := list()(os.Getpid())
	if !ok || p.Parent != os.Getppid() || len(p.Args) == 0 || filepath.Base(p.Args[0]) != filepath.Base(os.Args[0]) {
		t.Errorf("%+v, %v", p, ok)
	}
}

func TestParse(t *testing.T) {
	all := parse("    1     0 /sbin/launchd\n  501     1 claude -p go\nnoise\n 502 x y\n")
	if len(all) != 2 || all[501].Parent != 1 || all[501].Args[0] != "claude" || all[1].Args[0] != "/sbin/launchd" {
		t.Errorf("%+v", all)
	}
}
