package drive

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// errLocked is a results file that another command is using.
type errLocked struct{ pid int }

func (e errLocked) Error() string {
	return fmt.Sprintf("another run (process %d) is using these results; let it finish, or stop it first", e.pid)
}

// lock makes this process the only one that runs trials for a results file. The
// kernel gives the lock back when the process ends, however it ends. The file
// also holds the process id, for people and for programs that look for it.
func lock(results string) (unlock func(), err error) {
	path := results + ".lock"
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			holder := holderOf(path)
			return nil, errors.Join(errLocked{holder}, file.Close())
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if !same(file, path) { // its last holder removed it between our two calls
			file.Close()
			continue
		}
		err = errors.Join(file.Truncate(0), write(file, strconv.Itoa(os.Getpid())))
		return func() { os.Remove(path); file.Close() }, err
	}
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
