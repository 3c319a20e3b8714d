// Package tree looks processes up in /proc. It starts no program, so a hook may
// use it; where there is no /proc (macOS, Windows) it finds none.
package tree

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"checkrein/internal/caller"
)

// maxRead bounds what is read of one file of /proc: a command line may be long.
const maxRead = 4 << 10

// Process finds a process by its id.
func Process(pid int) (caller.Process, bool) { return in("/proc", pid) }

func in(root string, pid int) (caller.Process, bool) {
	folder := root + "/" + strconv.Itoa(pid) + "/"
	parent, ok := parentIn(read(folder + "stat"))
	if !ok {
		return caller.Process{}, false
	}
	p := caller.Process{PID: pid, Parent: parent}
	p.Exe, _ = os.Readlink(folder + "exe") // of another user's process it can't be read
	if line := read(folder + "cmdline"); len(line) > 0 {
		p.Args = strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	}
	return p, true
}

// read takes what one call of the system gives, which of these files is all.
func read(name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	content := make([]byte, maxRead)
	n, _ := file.Read(content)
	return content[:n]
}

// parentIn reads "PID (NAME) STATE PARENT …". The name may have parentheses and
// blanks of its own.
func parentIn(stat []byte) (int, bool) {
	i := bytes.LastIndexByte(stat, ')')
	if i < 0 {
		return 0, false
	}
	fields := bytes.Fields(stat[i+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}
