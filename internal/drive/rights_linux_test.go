package drive_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
	"checkrein/internal/untested"
)

// ordinary makes this process one that minds the permissions of files, as those
// of ordinary users do, root's included. Capabilities are lost at the next exec.
func ordinary() {
	runtime.LockOSThread()
	for _, capability := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER} {
		if os.Geteuid() == 0 && unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0) != nil {
			os.Exit(99)
		}
	}
	os.Unsetenv("TEST_ORDINARY")
	fmt.Fprintln(os.Stderr, syscall.Exec("/proc/self/exe", os.Args, os.Environ()))
	os.Exit(99)
}

// runOrdinary is run in a process that minds permissions.
func (b *bench) runOrdinary() []trial.Record {
	b.t.Helper()
	if out, err := b.driveOrdinary(); err != nil {
		b.t.Errorf("the drive: %v: %s", err, out)
	}
	return b.records()
}

func (b *bench) driveOrdinary() (said string, err error) {
	b.t.Helper()
	file := filepath.Join(b.dir, "setup.json")
	text, err := json.Marshal(b.setup)
	b.must(err)
	b.must(os.WriteFile(file, text, 0o600))
	exe, err := os.Executable()
	b.must(err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "TEST_ORDINARY=1", "TEST_DRIVER="+file)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// An agent that takes away rights on its copy neither hides its work nor leaves
// the copy behind.
func TestAgentsThatCloseTheirCopy(t *testing.T) {
	for name, script := range map[string]string{
		"its file":         `echo fixed >src.txt; chmod 000 src.txt`,
		"new files":        `mkdir build/deep; echo fixed >build/new.txt; echo x >build/deep/x; chmod 000 build/new.txt build/deep/x build/deep build`,
		"the tests":        `echo fixed >src.txt; chmod 000 tests/check.sh tests`,
		"the whole copy":   `echo fixed >src.txt; chmod 000 .`,
		"no search":        `echo fixed >src.txt; chmod 600 . build tests`,
		"the run's folder": `echo fixed >src.txt; chmod 000 . ..`,
		"read-only":        `echo fixed >src.txt; mkdir -p out/a/b; echo x >out/a/b/c; chmod -R a-w . ..`,
		".git":             `echo fixed >src.txt; chmod -R 000 .git`,
		"a cache":          `echo fixed >src.txt; mkdir -p node_modules/x __pycache__; echo x >node_modules/x/y; echo x >__pycache__/z; chmod 000 node_modules/x node_modules __pycache__`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 2, harness.ClaudeCode)
			b.standIn("claude", script+"\ndone_")
			records := b.runOrdinary()
			if len(records) != 2 {
				t.Fatalf("%d records, want 2: %+v", len(records), records)
			}
			for _, r := range records {
				wantStatus(t, r, trial.Passed)
			}
			b.clean()
		})
	}
}

// What an agent puts into the place of its copy is none of ours to open.
func TestAgentsThatReplaceTheirCopy(t *testing.T) {
	for name, script := range map[string]string{
		"the copy":         `here=$PWD; cd ..; mv "$here" away; ln -s "$HOME/mine" "$here"; chmod 000 away; done_`,
		"the run's folder": `here=${PWD%/*}; cd /; mv "$here" "$HOME/away"; ln -s "$HOME/mine" "$here"; done_`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 1, harness.ClaudeCode)
			mine := filepath.Join(b.dir, "home/mine")
			b.must(os.MkdirAll(mine, 0o755))
			b.must(os.WriteFile(filepath.Join(mine, "f"), []byte("mine"), 0o400))
			b.must(os.Chmod(mine, 0o500))
			b.standIn("claude", script)
			if records := b.runOrdinary(); len(records) != 1 || records[0].Status == trial.Passed {
				t.Errorf("%+v", records)
			}
			info, err := os.Stat(mine)
			if text, _ := os.ReadFile(filepath.Join(mine, "f")); err != nil || info.Mode().Perm() != 0o500 || string(text) != "mine" {
				t.Errorf("the user's folder: %v, %v, %q", info, err, text)
			}
			b.clean()
		})
	}
}

// A copy that can't be removed, because it holds files of another user (a
// container's, say), stops nothing: the trial could not run, the next one does, and
// the user is told.
func TestCopyWithFilesOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		untested.Here(t, "only root can give files away")
	}
	b := newBench(t, 2, harness.ClaudeCode)
	b.standIn("claude", `echo fixed >src.txt; if mkdir "$HOME/once"; then mkdir -p out/x; echo x >out/x/y; chown -R 12345 out; fi; done_`)
	records := b.runOrdinary()
	if len(records) != 2 {
		t.Fatalf("%d records, want 2: %+v", len(records), records)
	}
	wantStatus(t, records[0], trial.Error)
	wantStatus(t, records[1], trial.Passed)
	if !strings.Contains(records[0].Error, "emptying the copy") || !strings.Contains(records[0].Error, "permission denied") {
		t.Errorf("error %q", records[0].Error)
	}
	log, err := os.ReadFile(filepath.Join(b.dir, "state/events.jsonl"))
	if b.must(err); strings.Count(string(log), "could not be removed, so remove it yourself") != 1 {
		t.Errorf("no warning in\n%s", log)
	}
	if left, _ := filepath.Glob(filepath.Join(b.dir, "state/inflight*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Where the drive itself lacks rights, it says so, and no money is spent.
func TestDriveWithoutRights(t *testing.T) {
	for name, tt := range map[string]struct {
		path string
		mode os.FileMode
		want string
	}{
		"temporary folder": {"tmp", 0o500, "TMPDIR"},
		"state folder":     {"state", 0o500, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 1, harness.ClaudeCode)
			b.standIn("claude", `echo ran >"$HOME/ran"; done_`)
			path := filepath.Join(b.dir, tt.path)
			b.must(os.MkdirAll(path, 0o700))
			b.must(os.Chmod(path, tt.mode))
			t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
			said, err := b.driveOrdinary()
			if err == nil || !strings.Contains(said, path) || !strings.Contains(said, tt.want) {
				t.Errorf("it said %q", said)
			}
			if spyRan(b) {
				t.Error("an agent ran")
			}
		})
	}
}
