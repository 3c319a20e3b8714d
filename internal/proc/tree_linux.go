package proc

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// becomeSubreaper makes orphans below this process its children, so that
// daemons can't leave the family.
func becomeSubreaper() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// closeRange lets all files from one on end with this program. Kernels before 5.11
// can't.
func closeRange(first uint) error {
	return unix.CloseRange(first, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// childAttr gives the command a session of its own, and kills it when a
// command kills its own supervisor.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// members lists every living process below this one.
func (f *family) members() []int {
	children := map[int][]int{}
	for _, pid := range pids() {
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	for queue := children[os.Getpid()]; len(queue) > 0; {
		pid := queue[0]
		queue = append(queue[1:], children[pid]...)
		found = append(found, pid)
	}
	return found
}

// pids lists the processes of /proc.
func pids() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// parentOf reads a process's parent. Zombies count: one whose first thread has
// ended looks like one and runs on. The program's name in the file may hold
// spaces and parentheses, so fields are counted from the last one.
func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	end := bytes.LastIndexByte(stat, ')')
	if err != nil || end < 0 {
		return 0, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

// Sweep ends what a run with this ID left behind. A supervisor that still tidies
// up gets the time it needs first. It finds processes by the mark in their
// environment, so it is the second line of defence, for runs whose supervisor
// was killed.
func Sweep(id string) {
	if id == "" {
		return
	}
	for limit := time.Now().Add(graceOrphan + time.Second); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if len(marked(id)) == 0 {
			return
		}
	}
	for range 100 {
		left := marked(id)
		if len(left) == 0 {
			return
		}
		signalAll(left, syscall.SIGKILL)
		time.Sleep(10 * time.Millisecond)
	}
}

func marked(id string) []int {
	mark := []byte(idName + "=" + id + "\x00")
	var out []int
	for _, pid := range pids() {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err == nil && pid != os.Getpid() && (bytes.HasPrefix(env, mark) || bytes.Contains(env, append([]byte{0}, mark...))) {
			out = append(out, pid)
		}
	}
	return out
}
