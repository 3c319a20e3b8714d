package drive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"checkrein/internal/budget"
	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/proc"
	"checkrein/internal/state"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// TestMain makes this binary a supervisor, or a driver of its own process that
// tests can kill.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == proc.SuperviseArg {
		os.Exit(proc.Supervise())
	}
	if os.Getenv("TEST_ORDINARY") != "" {
		ordinary()
	}
	if file := os.Getenv("TEST_DRIVER"); file != "" {
		os.Exit(driver(file))
	}
	os.Exit(m.Run())
}

// setup is a drive as a test describes it; it can travel to another process.
type setup struct {
	Doc       task.Document
	Results   string
	Harnesses []string
	Cap       float64
	Timeout   time.Duration `json:"-"`
	Jobs      int
	Keep      bool
	Unpriced  []string
	Environ   []string
	Extra     []string
}

func (s setup) options() drive.Options {
	around := drive.Surroundings{Environ: s.Environ, Extra: s.Extra, Prices: price.Embedded(), Now: time.Now}
	o := drive.Options{
		Surroundings: around, Tasks: s.Doc, Results: s.Results, Cap: s.Cap, Timeout: s.Timeout, Jobs: s.Jobs, Keep: s.Keep,
		Unpriced: s.Unpriced, Pay: s.pay,
	}
	for _, name := range s.Harnesses {
		o.Adapters = append(o.Adapters, around.Adapter(name, ""))
	}
	return o
}

// paid is the ledger of all sessions in this bench.
func (s setup) paid() state.Store {
	return state.Store{Dir: filepath.Join(filepath.Dir(filepath.Dir(s.Results)), "sessions")}
}

func (s setup) pay(run string, usd float64) {
	now := time.Now()
	if _, err := s.paid().Pay(run, "", map[string]int64{budget.Key(now): int64(budget.FromUSD(usd))}, now); err != nil {
		panic(err)
	}
}

// driver runs the setup in a file, and prints its summary.
func driver(file string) int {
	var s setup
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	s.Timeout = time.Minute
	if os.Getenv("GIT_INDEX_FILE") != "" { // started by a git hook
		s.Environ = append(os.Environ(), s.Environ...)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	summary, err := drive.Run(ctx, s.options())
	if errors.Is(err, drive.ErrStopped) {
		return 130
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	out, _ := json.Marshal(summary)
	fmt.Println(string(out))
	return 0
}

// bench is a small repository with one fix in its history, stand-ins for the
// agents, and everything else a drive needs, in a folder of its own.
type bench struct {
	t    *testing.T
	dir  string
	repo string
	setup
}

// The fix turns "broken" into "fixed"; the test looks for that.
func newBench(t *testing.T, tasks int, harnesses ...string) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, dir: dir, repo: filepath.Join(dir, "user", "project")}
	for _, sub := range []string{"bin", "home/.codex", "tmp", "user/project/tests", "user/project/build"} {
		b.must(os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	b.must(os.WriteFile(filepath.Join(dir, "home/.codex/config.toml"), []byte(`model = "gpt-6-sol"`), 0o600))
	b.git("init", "-q", "-b", "main")
	parent := b.commit(map[string]string{"src.txt": "broken\n", "tests/check.sh": "exit 0\n", "build/.keep": ""}, "Start")
	fix := b.commit(map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt || cat */*.txt | grep -q fixed\n"}, "Fix it")
	b.setup = setup{
		Doc:     task.Document{Repo: b.repo, TestCmd: "sh tests/check.sh", TestTimeout: 60},
		Results: filepath.Join(dir, "state", "results.jsonl"), Harnesses: harnesses, Cap: 100, Timeout: time.Minute, Jobs: 1,
		Environ: []string{
			"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"),
			"TMPDIR=" + filepath.Join(dir, "tmp"),
		},
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	for n := range tasks {
		b.Doc.Tasks = append(b.Doc.Tasks, task.Task{
			ID: fmt.Sprintf("task%03d", n), Subject: fmt.Sprintf("Fix number %d", n), Validated: true,
			Candidate: task.Candidate{Commit: fix, Parent: parent, HiddenTests: []string{"tests/check.sh"}},
		})
	}
	return b
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) git(args ...string) string {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@localhost"}, args...)...)
	cmd.Dir = b.repo
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (b *bench) commit(files map[string]string, message string) string {
	b.t.Helper()
	for name, text := range files {
		path := filepath.Join(b.repo, name)
		b.must(os.MkdirAll(filepath.Dir(path), 0o755))
		b.must(os.WriteFile(path, []byte(text), 0o644))
	}
	b.git("add", "-A", "-f")
	b.git("commit", "-q", "-m", message)
	return b.git("rev-parse", "HEAD")
}

// standIn writes a shell script that plays an agent. done prints what an agent
// prints that has worked for ten cents.
func (b *bench) standIn(program, script string) {
	b.t.Helper()
	text := `#!/bin/sh
[ "$1" = --version ] && { echo "9.9.9 (stand-in)"; exit 0; }
answer() { echo '{"type":"assistant","message":{"id":"'$1'","model":"claude-opus-5-5","usage":{"output_tokens":1000}}}'; }
finish() { echo '{"type":"result","is_error":false,"result":"done","total_cost_usd":'$1',"num_turns":1,"modelUsage":{}}'; }
done_() { answer m1; finish 0.1; }
` + script + "\n"
	b.must(os.WriteFile(filepath.Join(b.dir, "bin", program), []byte(text), 0o755))
}

func (b *bench) run() (trial.Summary, []trial.Record) {
	b.t.Helper()
	summary, err := drive.Run(b.t.Context(), b.options())
	if err != nil {
		b.t.Fatalf("running: %v", err)
	}
	return summary, b.records()
}

func (b *bench) records() []trial.Record {
	b.t.Helper()
	records, err := drive.ReadRecords(b.Results)
	b.must(err)
	return records
}

func (b *bench) accounts() []trial.Account {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(b.Results), "ledger.jsonl"))
	b.must(err)
	return trial.ReadLedger(text)
}

// clean checks that no copy, no state and no in-flight record is left.
func (b *bench) clean() {
	b.t.Helper()
	for _, pattern := range []string{"tmp/*", "state/inflight*", "state/*.lock"} {
		left, _ := filepath.Glob(filepath.Join(b.dir, pattern))
		// An empty folder that a kill left in its first instant is no copy; it goes
		// after a minute.
		left = slices.DeleteFunc(left, func(path string) bool {
			inside, err := os.ReadDir(path)
			return err == nil && len(inside) == 0 && strings.Contains(path, "/checkrein-state-")
		})
		if len(left) > 0 {
			b.t.Errorf("left behind: %v", left)
		}
	}
	if left := b.processes(); len(left) > 0 {
		b.t.Errorf("still running: %v", left)
	}
}

// processes are those whose command line or folder names this bench.
func (b *bench) processes() []string {
	var found []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		line, _ := os.ReadFile(p + "/cmdline")
		cwd, _ := os.Readlink(p + "/cwd")
		if p != fmt.Sprintf("/proc/%d", os.Getpid()) && (strings.Contains(string(line), b.dir) || strings.HasPrefix(cwd, b.dir)) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// one runs a single Claude Code trial with this script, and returns its record.
func one(t *testing.T, script string) (*bench, trial.Record) {
	t.Helper()
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", script)
	_, records := b.run()
	if len(records) != 1 {
		t.Fatalf("%d records, want 1: %+v", len(records), records)
	}
	b.clean()
	return b, records[0]
}

func wantStatus(t *testing.T, r trial.Record, status string) {
	t.Helper()
	if r.Status != status {
		tests, _ := os.ReadFile(strings.TrimSuffix(r.Diff, ".diff") + ".tests")
		t.Errorf("status %s (%s), want %s\n%s", r.Status, r.Error, status, tests)
	}
}
