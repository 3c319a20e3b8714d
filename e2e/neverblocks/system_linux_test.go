package neverblocks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"checkrein/internal/untested"
)

// dropVariable tells this test binary to give up root's file rights and to
// become the program its arguments name.
const dropVariable = "NEVERBLOCKS_DROP"

func dropAndExec(argv []string) {
	runtime.LockOSThread()
	for _, capability := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
		if os.Geteuid() != 0 {
			break // nothing to give up
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil {
			fmt.Fprintln(os.Stderr, "giving up a capability:", err)
			os.Exit(99)
		}
	}
	os.Unsetenv(dropVariable)
	path, err := exec.LookPath(argv[0])
	if err == nil {
		err = syscall.Exec(path, argv, os.Environ())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(99)
}

func systemRows() []row {
	closed := func(name string, mode os.FileMode, path func(t *testing.T, w *world) string) row {
		return row{name: name, prepare: func(t *testing.T, w *world) {
			w.drop = true
			target := path(t, w)
			must(t, os.Chmod(target, mode))
			t.Cleanup(func() { _ = os.Chmod(target, 0o700) })
			mustBeClosed(t, w, target, mode)
		}}
	}
	state := func(t *testing.T, w *world) string { return filepath.Dir(w.file(t, "x")) }
	file := func(name string) func(t *testing.T, w *world) string {
		return func(t *testing.T, w *world) string {
			write(t, w.file(t, name), goodState)
			return w.file(t, name)
		}
	}
	return []row{
		closed("state folder read-only", 0o500, state),
		closed("state folder unreadable", 0o000, state),
		closed("state home read-only", 0o500, func(_ *testing.T, w *world) string { return filepath.Join(w.root, "xdg") }),
		closed("state file unreadable", 0o000, file("sess-1.json")),
		closed("state file read-only", 0o400, file("sess-1.json")),
		closed("spare read-only", 0o400, file("sess-1.json.tmp")),
		closed("lock unreadable", 0o000, file("sess-1.lock")),
		closed("shared list unreadable", 0o000, file("counted-ids.bin")),
		closed("settings unreadable", 0o000, file("runaway-guard.json")),
		closed("error log unreadable", 0o000, file("errors.log")),
		closed("transcript unreadable", 0o000, func(_ *testing.T, w *world) string { return w.transcript }),
		closed("transcript's folder unreadable", 0o000, func(_ *testing.T, w *world) string { return filepath.Dir(w.transcript) }),
		{name: "state folder full", prepare: fullFolder},
		{name: "state folder full, with a state file", prepare: func(t *testing.T, w *world) {
			fullFolder(t, w)
			must(t, os.Truncate(w.file(t, "filler"), 0))
			write(t, w.file(t, "sess-1.json"), goodState)
			fill(w.file(t, "filler"))
		}, check: func(t *testing.T, w *world) {
			if _, err := w.saved(); err != nil {
				t.Errorf("the state file was lost: %v", err)
			}
		}},
	}
}

// mustBeClosed makes sure that the program really is denied what the case says.
func mustBeClosed(t *testing.T, w *world, path string, mode os.FileMode) {
	t.Helper()
	right := "-w"
	if mode&0o400 == 0 {
		right = "-r"
	}
	if o := w.run(t, "test", right, path); o.code == 0 {
		t.Fatalf("the program would have the right %s on %s", right, path)
	}
}

// fullFolder puts a file system of 64 KB without a free byte where the state
// folder is. It needs root; without it, it can't be tested and says so.
func fullFolder(t *testing.T, w *world) {
	t.Helper()
	must(t, os.MkdirAll(w.state, 0o700))
	if err := syscall.Mount("none", w.state, "tmpfs", 0, "size=64k"); err != nil {
		if os.Geteuid() == 0 || os.Getenv("CI") != "" {
			t.Fatal("mounting a small file system: ", err)
		}
		untested.Here(t, "mounting a small file system needs root: "+err.Error())
	}
	t.Cleanup(func() { must(t, syscall.Unmount(w.state, syscall.MNT_DETACH)) })
	fill(w.file(t, "filler"))
	fill(w.file(t, "filler2"))
}

// fill takes what space is left, byte by byte at the end.
func fill(path string) {
	f, err := os.Create(path)
	if err != nil {
		return
	}
	defer f.Close()
	for size := 16 << 10; size > 0; size /= 2 {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
}
