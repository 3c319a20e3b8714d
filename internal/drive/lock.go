package drive

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errLocked is a results file that another command is using.
type errLocked struct{ pid int }

func (e errLocked) Error() string {
	return fmt.Sprintf("another run (process %d) is using these results; let it finish, or stop it first", e.pid)
}

// lockPatience is how long a lock may outlive its holder: a process that the
// holder was starting when it was killed has the file open until its own start.
const lockPatience = 10 * time.Second

// lock makes this process the only one that runs trials for a results file. The
// kernel gives the lock back when the process ends, however it ends. The file
// also holds the process id, for people and for programs that look for it.
func lock(results string) (unlock func(), err error) {
	path := results + ".lock"
	for limit := time.Now().Add(lockPatience); ; {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && same(file, path) {
			err = errors.Join(file.Truncate(0), write(file, strconv.Itoa(os.Getpid())))
			return func() { os.Remove(path); file.Close() }, err
		}
		file.Close() // someone holds it, or its last holder removed it between our two calls
		switch holder := holderOf(path); {
		case err == nil:
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return nil, err
		case alive(holder) || time.Now().After(limit):
			return nil, errLocked{holder}
		default:
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// alive reports whether there is such a process. No process id counts as alive:
// a holder writes its own a moment after it has the lock.
func alive(pid int) bool {
	return pid <= 0 || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func write(file *os.File, text string) error {
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

func same(file *os.File, path string) bool {
	ours, err1 := file.Stat()
	theirs, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(ours, theirs)
}

func holderOf(path string) int {
	data, _ := os.ReadFile(path)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
	return pid
}
