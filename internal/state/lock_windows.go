package state

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// ErrBusy says that another process holds the lock too long.
var ErrBusy = errors.New("another call holds the lock for too long")

const lockWait = 2 * time.Second

// plainFile: there are no FIFOs, and making a link takes rights of its own.
const plainFile = 0

// Lock is a held lock.
type Lock struct{ f *os.File }

func lock(path string, wait time.Duration) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline, pause := time.Now().Add(wait), firstPause; ; pause = min(2*pause, longestPause) {
		const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
		if err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped)); err == nil {
			return &Lock{f}, nil
		}
		if time.Now().After(deadline) {
			_ = f.Close()
			return nil, ErrBusy
		}
		time.Sleep(pause)
	}
}

// Release gives the lock back.
func (l *Lock) Release() {
	_ = windows.UnlockFileEx(windows.Handle(l.f.Fd()), 0, 1, 0, new(windows.Overlapped))
	_ = l.f.Close()
}
