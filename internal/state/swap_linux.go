package state

import "golang.org/x/sys/unix"

// swap exchanges two files' names in one step. Not every file system can, and
// both must exist.
func swap(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
