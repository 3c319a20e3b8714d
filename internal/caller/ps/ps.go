// Package ps looks processes up for the commands that people type: in /proc, or
// where there is none, such as on macOS, by one run of ps.
package ps

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"checkrein/internal/caller"
	"checkrein/internal/caller/tree"
)

// patience is how long ps may take; without it the processes are not known.
const patience = 3 * time.Second

// Processes finds processes on this system, nil when it can't.
func Processes() caller.Processes {
	if _, ok := tree.Process(os.Getpid()); ok {
		return tree.Process
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	return list()
}

// list runs ps once. Its columns are those of POSIX.
func list() caller.Processes {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	out, err := exec.CommandContext(ctx, "/bin/ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "args=").Output()
	if err != nil {
		return nil
	}
	all := parse(string(out))
	return func(pid int) (caller.Process, bool) {
		p, ok := all[pid]
		return p, ok
	}
}

// parse reads lines of "PID PARENT COMMAND LINE". ps divides arguments by blanks,
// so a program in a folder with a blank in its name is not known.
func parse(out string) map[int]caller.Process {
	all := map[int]caller.Process{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err == nil && err2 == nil {
			all[pid] = caller.Process{PID: pid, Parent: parent, Args: fields[2:]}
		}
	}
	return all
}
