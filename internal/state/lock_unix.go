//go:build unix

package state

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// ErrBusy says that another process holds the lock too long.
var ErrBusy = errors.New("another call holds the lock for too long")

// lockWait is how long a call waits for parallel calls of its session.
const lockWait = 2 * time.Second

// plainFile keeps a FIFO in a file's place from blocking and a link from leading
// out of the folder.
const plainFile = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// Lock is a held lock.
type Lock struct{ f *os.File }

// lock takes the lock file's lock, trying again until wait is over. The file is
// never removed by its holder: a lock belongs to the inode, and a second file of
// the same name would be a second lock.
func lock(path string, wait time.Duration) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|plainFile, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline, pause := time.Now().Add(wait), firstPause; ; pause = min(2*pause, longestPause) {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
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
	_ = syscall.Flock(int(l.f.Fd()), syscall.LOCK_UN)
	_ = l.f.Close()
}
