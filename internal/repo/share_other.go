//go:build !linux

package repo

import "syscall"

// shareBlocks has no counterpart for a part of a file here.
func shareBlocks(int, int, span) error { return syscall.ENOTSUP }
