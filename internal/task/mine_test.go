package task

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == proc.SuperviseArg {
		os.Exit(proc.Supervise())
	}
	os.Exit(m.Run())
}

// history is a user's repository with a test suite in shell: every tests/*_test.sh
// must exit 0.
type history struct {
	t   *testing.T
	dir string
}

const suite = `for t in tests/*_test.sh; do sh "$t" || exit 1; done`

func newHistory(t *testing.T) *history {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	h := &history{t, t.TempDir()}
	h.git("init", "-q", "-b", "main")
	h.commit("Start", map[string]string{"src/a.sh": "A=1\n", "tests/a_test.sh": ". ./src/a.sh; [ $A = 1 ]\n"})
	return h
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=d@localhost",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=d@localhost")
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (h *history) commit(message string, files map[string]string) string {
	h.t.Helper()
	for path, text := range files {
		full := filepath.Join(h.dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.WriteFile(full, []byte(text), 0o666)); err != nil {
			h.t.Fatal(err)
		}
	}
	h.git("add", "-A", "-f")
	h.git("commit", "-q", "-m", message)
	return h.git("rev-parse", "HEAD")
}

// fix commits a change whose test fails before it and passes after it.
func (h *history) fix(name string) string {
	h.t.Helper()
	return h.commit("Add "+name+"\n\nWhy.\n\nSigned-off-by: D <d@localhost>", map[string]string{
		"src/" + name + ".sh": "V=1\n", "tests/" + name + "_test.sh": ". ./src/" + name + ".sh; [ $V = 1 ]\n",
	})
}

func (h *history) mine(change func(*Options)) (*Document, error) {
	h.t.Helper()
	r, err := repo.Open(h.t.Context(), h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			h.t.Error(err)
		}
		left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*"))
		if len(left) > 0 {
			h.t.Errorf("left behind: %q", left)
		}
	}()
	o := Options{
		TestCmd: suite, Source: "--test-cmd", Since: "2000-01-01", Max: 10, TestTimeout: 60, Check: true, Jobs: 1,
		Now: time.Now(), Env: proc.Env(proc.Tests, nil, r.Spellings(""), os.Environ()),
	}
	change(&o)
	return Mine(h.t.Context(), r, o)
}

func same(*Options) {}

// everyReason has one commit for each way a check can end.
func everyReason(t *testing.T) (h *history, kept []string) {
	h = newHistory(t)
	kept = append(kept, h.fix("one"))
	h.commit("Passes before", map[string]string{"src/p.sh": "P=1\n", "tests/p_test.sh": "true\n"})
	h.commit("Fails after", map[string]string{"src/f.sh": "F=1\n", "tests/f_test.sh": "false\n"})
	h.commit("Repair", map[string]string{"tests/f_test.sh": "true\n"})
	kept = append(kept, h.fix("two"))
	h.commit("Only docs", map[string]string{"README.md": "x\n", "tests/d_test.sh": "true\n"})
	kept = append(kept, h.fix("three"))
	h.commit("Flaky", map[string]string{"src/k.sh": "K=1\n", "tests/k_test.sh": "[ -e src/k.sh ] || exit 1; echo x >> tests/n; [ $(wc -l < tests/n) -lt 2 ]\n"})
	return h, kept
}

func TestCheckKeepsWhatFailsBeforeAndPassesAfter(t *testing.T) {
	h, kept := everyReason(t)
	var docs []*Document
	for _, jobs := range []int{1, 3} {
		doc, err := h.mine(func(o *Options) { o.Jobs = jobs })
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	var ids []string
	for _, task := range docs[0].Tasks {
		ids = append(ids, task.Commit)
	}
	if diff := cmp.Diff([]string{kept[2], kept[1], kept[0]}, ids); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	want := Counts{
		Commits: 9, Candidates: 6, Checked: 6, Validated: 3, Skipped: map[string]int{FirstCommit: 1, NoSource: 2},
		Rejected: map[string]int{PassBefore: 1, FailAfter: 1, Flaky: 1},
	}
	if diff := cmp.Diff(want, docs[0].Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	first := docs[0].Tasks[0]
	if first.Subject != "Add three" || first.Body != "Why." || first.GoldLines != 1 || !first.Validated || *first.Check.Before.Exit != 1 || !first.Check.AfterAgain.OK() {
		t.Errorf("the first task: %+v", first)
	}
	ignore := cmp.Options{cmpopts.IgnoreFields(proc.Result{}, "Seconds"), cmpopts.IgnoreFields(Document{}, "Created", "CheckSeconds")}
	if diff := cmp.Diff(docs[0], docs[1], ignore); diff != "" {
		t.Errorf("one after the other and side by side (-one +three):\n%s", diff)
	}
}

func TestCheckStopsWhenEnoughAreKept(t *testing.T) {
	h := newHistory(t)
	for i := range 8 {
		h.fix(fmt.Sprintf("n%d", i))
	}
	for _, jobs := range []int{1, 4} {
		doc, err := h.mine(func(o *Options) { o.Max, o.Jobs = 2, jobs })
		if err != nil || len(doc.Tasks) != 2 || doc.Counts.Checked != 2 || doc.Tasks[0].Subject != "Add n7" || doc.Tasks[1].Subject != "Add n6" {
			t.Errorf("%d jobs: %+v, %v", jobs, doc.Counts, err)
		}
	}
}

func TestCheckTriesAtMostThreeForEachTask(t *testing.T) {
	h := newHistory(t)
	h.fix("old")
	for i := range 3 {
		h.commit("Passes before", map[string]string{"src/p.sh": fmt.Sprint("P=", i, "\n"), "tests/p_test.sh": fmt.Sprint("true # ", i, "\n")})
	}
	doc, err := h.mine(func(o *Options) { o.Max = 1 })
	if err != nil || len(doc.Tasks) != 0 || doc.Counts.Checked != 3 {
		t.Errorf("%+v, %v", doc.Counts, err)
	}
}

func TestHeadMustPassFirst(t *testing.T) {
	tests := []struct {
		name, reason, log string
		change            func(*Options)
	}{
		{"failing tests", TestsFail, "no luck\n", func(o *Options) { o.TestCmd = "echo no luck; exit 3" }},
		{"time-out", TestsFail, "", func(o *Options) { o.TestCmd, o.TestTimeout = "sleep 100", 1 }},
		{"failing setup", SetupFailed, "no setup\n", func(o *Options) { o.SetupCmd = "echo no setup >&2; exit 1" }},
	}
	for _, tt := range tests {
		h := newHistory(t)
		h.fix("one")
		logs := t.TempDir()
		_, err := h.mine(func(o *Options) { o.Logs = logs; tt.change(o) })
		head := new(HeadError)
		if !errors.As(err, &head) || head.Reason != tt.reason {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if log, _ := os.ReadFile(head.Log); string(log) != tt.log {
			t.Errorf("%s: the log is %q", tt.name, log)
		}
		if run := head.Runs.After; tt.reason == TestsFail && (run == nil || run.OK() || run.TimedOut != (tt.name == "time-out")) {
			t.Errorf("%s: %+v", tt.name, run)
		}
	}
}

func TestATimeOutBeforeTheFixIsAFailure(t *testing.T) {
	h := newHistory(t)
	h.commit("Hangs before", map[string]string{"src/h.sh": "H=1\n", "tests/h_test.sh": "[ -e src/h.sh ] || exec sleep 100\n"})
	h.commit("Hangs after", map[string]string{"src/g.sh": "H=1\n", "tests/g_test.sh": "[ -e tests/stop ] || exec sleep 100\n"})
	h.commit("Stop", map[string]string{"tests/stop": "x\n", "README.md": "x\n"})
	doc, err := h.mine(func(o *Options) { o.TestTimeout = 2 })
	if err != nil || len(doc.Tasks) != 1 || doc.Tasks[0].Subject != "Hangs before" || !doc.Tasks[0].Check.Before.TimedOut || doc.Counts.Rejected[TimeOutAfter] != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestSetupRunsAgainAfterAManifestChanged(t *testing.T) {
	h := newHistory(t)
	h.commit("Use the manifest", map[string]string{"package.json": "{}\n", "src/m.sh": "M=1\n", "tests/m_test.sh": "[ -e src/m.sh ] && [ $(wc -l < setups) -ge 2 ]\n"})
	h.commit("No need of it", map[string]string{"tests/m_test.sh": "[ -e src/m.sh ]\n"})
	h.commit("Break the setup", map[string]string{"package.json": "broken\n", "src/b.sh": "B=1\n", "tests/b_test.sh": "[ -e src/b.sh ]\n"})
	h.commit("Repair the setup", map[string]string{"package.json": "{ }\n"})
	doc, err := h.mine(func(o *Options) { o.SetupCmd = "echo x >> setups; ! grep -q broken package.json" })
	if err != nil || len(doc.Tasks) != 1 || doc.Tasks[0].Subject != "Use the manifest" || doc.Counts.Rejected[SetupFailed] != 1 {
		t.Errorf("%+v, %v", doc.Counts, err)
	}
}

// TestNoRunReadsEarlierBytecode: the folder that a run gets is new and empty, and
// none is left in the copy.
func TestNoRunReadsEarlierBytecode(t *testing.T) {
	h := newHistory(t)
	h.commit("Leave bytecode", map[string]string{
		"src/b.sh": "B=1\n",
		"tests/b_test.sh": `[ -z "$(ls "$PYTHONPYCACHEPREFIX")" ] && [ ! -e src/__pycache__ ] && [ -d venv/__pycache__ ] || exit 1
touch "$PYTHONPYCACHEPREFIX/x.pyc"; mkdir src/__pycache__; [ -e src/b.sh ]` + "\n",
	})
	t.Setenv("PYTHONPYCACHEPREFIX", "/nowhere")
	doc, err := h.mine(func(o *Options) { o.SetupCmd = "mkdir -p venv/__pycache__ src/__pycache__" })
	if err != nil || len(doc.Tasks) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestADamagedCommitIsRejectedAlone(t *testing.T) {
	h := newHistory(t)
	kept := h.fix("one")
	lost := h.commit("Lost", map[string]string{"src/l.sh": "lost\n", "tests/l_test.sh": "[ -e src/l.sh ]\n"})
	id := h.git("rev-parse", lost+":src/l.sh")
	h.commit("Replace", map[string]string{"src/l.sh": "L=1\n"})
	if err := os.Remove(filepath.Join(h.dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	doc, err := h.mine(same)
	if err != nil || len(doc.Tasks) != 1 || doc.Tasks[0].Commit != kept || doc.Counts.Skipped[Unreadable] != 2 {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestTheRepositorysPathIsNowhere(t *testing.T) {
	h := newHistory(t)
	h.fix("one")
	t.Setenv("PWD", h.dir)
	t.Setenv("OLDPWD", h.dir)
	t.Setenv("GOFLAGS", "-C "+h.dir)
	t.Setenv("PATH", h.dir+"/bin:"+os.Getenv("PATH"))
	out := filepath.Join(t.TempDir(), "env")
	if _, err := h.mine(func(o *Options) {
		o.TestCmd = "env >> " + out + "; tr '\\0' '\\n' < /proc/$PPID/environ >> " + out + ";" + suite
	}); err != nil {
		t.Fatal(err)
	}
	env, err := os.ReadFile(out)
	if err != nil || len(env) == 0 || strings.Contains(string(env), h.dir) {
		t.Errorf("%v:\n%s", err, env)
	}
}

func TestAStopLeavesNoCopy(t *testing.T) {
	h := newHistory(t)
	h.fix("one")
	h.fix("two")
	why := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := repo.Open(ctx, h.dir)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	_, err = Mine(ctx, r, Options{
		TestCmd: suite, Since: "2000-01-01", Max: 5, TestTimeout: 60, Check: true, Jobs: 2, Root: root, Env: os.Environ(),
		Tell: func(p Progress) {
			if p.What == CheckStarted {
				cancel(why)
			}
		},
	})
	left, _ := os.ReadDir(root)
	if !errors.Is(err, why) || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
