//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory a program held, in bytes. The kernel says it in
// kilobytes, macOS in bytes.
func peak(p *os.ProcessState) int64 {
	used, ok := p.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(used.Maxrss)
	}
	return int64(used.Maxrss) << 10
}
