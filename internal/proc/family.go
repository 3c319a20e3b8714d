package proc

import (
	"errors"
	"syscall"
	"time"
)

// family is the command and everything below it.
type family struct {
	leader      int
	leaderEnded chan syscall.WaitStatus // gets the leader's status once
	allEnded    chan struct{}           // closed when no child of ours is left
}

func newFamily(leader int) *family {
	f := &family{leader: leader, leaderEnded: make(chan syscall.WaitStatus, 1), allEnded: make(chan struct{})}
	go f.reap()
	return f
}

// reap waits for every child, adopted ones included. Under a subreaper "no
// child left" means that nothing below is left at all.
func (f *family) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case pid == f.leader:
			f.leaderEnded <- status
		case errors.Is(err, syscall.ECHILD):
			close(f.allEnded)
			return
		}
	}
}

// end asks every process of the family to stop, kills after grace what is
// still there, and returns how many could not be ended.
func (f *family) end(grace time.Duration) int {
	if f.gone(0) && len(f.members()) == 0 {
		return 0
	}
	if grace > 0 {
		signalAll(f.members(), syscall.SIGTERM)
		signalAll(f.members(), syscall.SIGCONT) // a stopped process can't act on SIGTERM
		f.gone(grace)
	}
	return f.sweep()
}

// gone waits at most d for the whole family to end.
func (f *family) gone(d time.Duration) bool {
	select {
	case <-f.allEnded:
		return true
	case <-time.After(d):
		return false
	}
}

// sweep kills until nothing is left. It stops processes before it kills them,
// so that none can fork away while the list is read.
func (f *family) sweep() int {
	for limit := time.Now().Add(giveUp); time.Now().Before(limit); {
		signalAll(f.freeze(), syscall.SIGKILL)
		if f.gone(5 * time.Millisecond) {
			break
		}
	}
	return len(f.members())
}

func (f *family) freeze() []int {
	known := map[int]bool{}
	for range 50 {
		fresh := 0
		for _, pid := range f.members() {
			if !known[pid] {
				known[pid] = true
				fresh++
				_ = syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if fresh == 0 {
			break
		}
	}
	pids := make([]int, 0, len(known))
	for pid := range known {
		pids = append(pids, pid)
	}
	return pids
}

func signalAll(pids []int, sig syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig) // gone already, or not ours
	}
}
