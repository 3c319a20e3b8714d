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

	"checkrein/internal/drive"
	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/proc"
	"checkrein/internal/task"
	"checkrein/internal/trial"
)

// TestMain makes this binary a supervisor, or a driver of its own process that
// tests can kill.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == proc.SuperviseArg {
		os.Exit(proc.Supervise())
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
		Unpriced: s.Unpriced,
	}
	for _, name := range s.Harnesses {
		o.Adapters = append(o.Adapters, around.Adapter(name, ""))
	}
	return o
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
	fix := b.commit(map[string]string{"src.txt": "fixed\n", "tests/check.sh": "grep -q fixed src.txt || cat build/*.txt | grep -q fixed\n"}, "Fix it")
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

func TestHonestFix(t *testing.T) {
	b, r := one(t, `echo fixed >src.txt; done_`)
	wantStatus(t, r, trial.Passed)
	if r.Cost == nil || *r.Cost != 0.1 || r.Charged != 0.1 || r.Version != "9.9.9 (stand-in)" || *r.LinesChanged != 2 || *r.FilesTouched != 1 {
		t.Errorf("record %+v", r)
	}
	for _, ext := range []string{".out", ".err", ".diff", ".tests"} {
		info, err := os.Stat(filepath.Join(filepath.Dir(b.Results), "logs", "task000-claude-code"+ext))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("log %s: %v, %v", ext, info, err)
		}
	}
}

func TestDoesNothing(t *testing.T) {
	_, r := one(t, `done_`)
	wantStatus(t, r, trial.Failed)
}

// A test that the agent edits is put back.
func TestEditsTheTests(t *testing.T) {
	_, r := one(t, `echo 'exit 0' >tests/check.sh; done_`)
	wantStatus(t, r, trial.Failed)
}

// A runner's own settings file that would turn every failure into a pass counts
// as a test file.
func TestPlantedRunnerSettings(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `echo 'exit 0' >conftest.py; done_`)
	b.Doc.TestCmd = "if [ -e conftest.py ]; then sh conftest.py && exit 0; fi; sh tests/check.sh"
	_, records := b.run()
	wantStatus(t, records[0], trial.Failed)
	if *records[0].FilesTouched != 1 {
		t.Errorf("%d files touched: the saved changes must show it", *records[0].FilesTouched)
	}
}

func TestTestsReplacedByALink(t *testing.T) {
	b, r := one(t, `rm -r tests; mkdir "$HOME/elsewhere"; ln -s "$HOME/elsewhere" tests; done_`)
	wantStatus(t, r, trial.Failed)
	if left, _ := filepath.Glob(filepath.Join(b.dir, "home/elsewhere/*")); len(left) > 0 {
		t.Errorf("written through the link: %v", left)
	}
}

// What stands in the copy's .git never runs here.
func TestPlantedGitPrograms(t *testing.T) {
	for name, plant := range map[string]string{
		"fsmonitor": `git config core.fsmonitor "$HOME/spy"`,
		"filter":    `echo '* filter=f' >.gitattributes; git config filter.f.clean "$HOME/spy"; git config filter.f.smudge "$HOME/spy"`,
		"hooks":     `git config core.hooksPath "$HOME/hooks"; mkdir "$HOME/hooks"; for h in post-index-change post-checkout pre-commit; do cp "$HOME/spy" "$HOME/hooks/$h"; done`,
	} {
		t.Run(name, func(t *testing.T) {
			b, r := one(t, `printf '#!/bin/sh\ntouch '"$HOME"'/ran\ncat\n' >"$HOME/spy"; chmod +x "$HOME/spy"
`+plant+`
rm -f "$HOME/ran"; echo fixed >src.txt; done_`)
			wantStatus(t, r, trial.Passed)
			if _, err := os.Stat(filepath.Join(b.dir, "home/ran")); err == nil {
				t.Error("the planted program ran")
			}
		})
	}
}

func TestNewFileInBuild(t *testing.T) {
	_, r := one(t, `echo fixed >build/new.txt; done_`)
	wantStatus(t, r, trial.Passed)
}

func TestHiddenEdits(t *testing.T) {
	for name, script := range map[string]string{
		"assume-unchanged": `echo fixed >src.txt; git update-index --assume-unchanged src.txt`,
		"commits":          `echo fixed >src.txt; git -c user.name=a -c user.email=a@b commit -qam done`,
		"no .git":          `echo fixed >src.txt; rm -rf .git`,
		"nested":           `mkdir build/in; echo fixed >build/in.txt; cd build && git init -q .`,
		"ignored":          `echo '*' >.gitignore; echo fixed >build/new.txt`,
	} {
		t.Run(name, func(t *testing.T) {
			_, r := one(t, script+"\ndone_")
			wantStatus(t, r, trial.Passed)
		})
	}
}

// A daemon that left its session is gone before the tests run: this one waits
// for them and would make them pass.
func TestDaemonIsGoneBeforeScoring(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `(setsid sh -c 'trap "" TERM; while [ ! -e started ]; do sleep 0.02; done; echo fixed >src.txt' >/dev/null 2>&1 &)
echo x >other.txt; done_`)
	b.Doc.TestCmd = "touch started; sleep 0.5; sh tests/check.sh"
	_, records := b.run()
	wantStatus(t, records[0], trial.Failed)
	b.clean()
}

// The path of the user's repository is in nothing that the agent gets.
func TestRepositoryIsNotNamed(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.Environ = append(b.Environ, "OLDPWD="+b.repo, "INIT_CWD="+b.repo, "VIRTUAL_ENV="+b.repo+"/.venv", "GIT_DIR="+b.repo+"/.git",
		"GIT_INDEX_FILE="+b.repo+"/.git/index", "PYTHONPATH="+b.repo, "MINE="+b.repo)
	b.Extra = []string{"MINE"}
	b.standIn("claude", `{ env; echo "$@"; tr "\\0" "\\n" </proc/$PPID/environ; ls -l /proc/$PPID/cwd; } >seen.txt; echo fixed >src.txt; done_`)
	b.Keep = true
	_, records := b.run()
	wantStatus(t, records[0], trial.Passed)
	diff, err := os.ReadFile(records[0].Diff)
	b.must(err)
	if !strings.Contains(string(diff), "RUNAWAY_GUARD_OFF=1") || strings.Contains(string(diff), b.repo) {
		t.Errorf("the agent saw:\n%s", diff)
	}
	if kept, err := os.ReadFile(filepath.Join(records[0].Workspace, "src.txt")); err != nil || string(kept) != "fixed\n" {
		t.Errorf("the kept copy: %q, %v", kept, err)
	}
}

// A drive that a git hook started must not touch the repository of that hook.
func TestStartedFromAGitHook(t *testing.T) {
	b := newBench(t, 1, harness.ClaudeCode)
	b.standIn("claude", `git status >/dev/null || exit 1; echo fixed >src.txt; done_`)
	t.Setenv("GIT_DIR", filepath.Join(b.dir, "nowhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(b.dir, "nowhere/index"))
	b.Environ = append(b.Environ, os.Environ()...)
	b.Environ = append(b.Environ, "PATH="+filepath.Join(b.dir, "bin")+":"+os.Getenv("PATH"), "HOME="+filepath.Join(b.dir, "home"))
	_, records := b.run()
	wantStatus(t, records[0], trial.Passed)
	if _, err := os.Stat(filepath.Join(b.dir, "nowhere")); err == nil {
		t.Error("git wrote where the hook's variables point")
	}
}

// The changes apply no more once the hidden tests stand where a file was.
func TestPatchThatDoesNotFitFails(t *testing.T) {
	_, r := one(t, `rm -r tests; echo x >tests; done_`)
	wantStatus(t, r, trial.Failed)
	if r.Error != "the changes no longer apply to a clean copy" {
		t.Errorf("error %q", r.Error)
	}
}
