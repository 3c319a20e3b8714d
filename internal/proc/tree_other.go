//go:build !linux

package proc

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func becomeSubreaper() {}

func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func closeRange(uint) error { return syscall.ENOSYS }

// members lists every process below this one that the process table still
// connects with it. A daemon whose parent has ended is not found.
func (f *family) members() []int {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,pgid=").Output()
	if err != nil {
		return []int{f.leader}
	}
	children := map[int][]int{}
	var found []int
	for line := range strings.Lines(string(out)) {
		var n [3]int
		for i, field := range strings.Fields(line) {
			if i < 3 {
				n[i], _ = strconv.Atoi(field)
			}
		}
		children[n[1]] = append(children[n[1]], n[0])
		if n[2] == f.leader {
			found = append(found, n[0])
		}
	}
	for queue := children[os.Getpid()]; len(queue) > 0; {
		pid := queue[0]
		queue = append(queue[1:], children[pid]...)
		found = append(found, pid)
	}
	return found
}

// Sweep can't find processes by their environment here.
func Sweep(string) {}
