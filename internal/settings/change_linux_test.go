package settings

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// withoutRoot runs f on a thread that has lost root's power to ignore file
// permissions, so that the tests mean the same for root and for others. The
// thread ends with f, and its lost capabilities with it.
func withoutRoot(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread isn't used again
		head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var caps [2]unix.CapUserData
		err := unix.Capget(&head, &caps[0])
		caps[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
		if err == nil {
			err = unix.Capset(&head, &caps[0])
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal("dropping capabilities: ", err)
	}
}

func TestApplyInReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	save(t, dir+"/first", "old", 0o644)
	save(t, dir+"/locked/f", "old", 0o644)
	before := tree(t, dir)
	withoutRoot(t, func() {
		changes := []Change{
			{File: read(t, dir+"/first"), Text: []byte("new")},
			{File: read(t, dir+"/locked/f"), Text: []byte("new")},
			{File: read(t, dir+"/first2"), Text: []byte("new")},
		}
		for _, last := range []Change{changes[1], {File: read(t, dir+"/locked/sub/f"), Text: []byte("new")}, {File: changes[1].File}} {
			if err := os.Chmod(dir+"/locked", 0o555); err != nil {
				t.Error(err)
			}
			err := Apply([]Change{changes[0], changes[2], last})
			if err == nil || !strings.Contains(err.Error(), "locked") || !strings.HasSuffix(err.Error(), "permission denied") {
				t.Errorf("got error %v", err)
			}
		}
		if _, err := Read(dir + "/locked/f"); err != nil {
			t.Error(err)
		}
	})
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Error("(-want +got):\n" + diff)
	}
}

func TestReadUnreadable(t *testing.T) {
	dir := t.TempDir()
	save(t, dir+"/f", "secret", 0o000)
	withoutRoot(t, func() {
		if _, err := Read(dir + "/f"); err == nil || !strings.HasSuffix(err.Error(), "f: permission denied") {
			t.Errorf("got error %v", err)
		}
	})
}

func TestReadPipe(t *testing.T) {
	path := t.TempDir() + "/pipe"
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got error %v", err)
	}
}
