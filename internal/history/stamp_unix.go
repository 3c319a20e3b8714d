//go:build unix

package history

import (
	"io/fs"
	"syscall"
)

// inode tells a file from another one of the same name.
func inode(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
