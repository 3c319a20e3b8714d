package repo

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// shareBlocks makes the empty file fd hold a part of another file without
// copying it (btrfs, xfs, bcachefs, overlay on them). Only whole blocks can be
// shared, so the last one is taken whole and cut.
func shareBlocks(fd, from int, at span) error {
	part := unix.FileCloneRange{Src_fd: int64(from), Src_offset: uint64(at.off)} // length 0: to the end
	if !at.whole {
		part.Src_length = uint64((at.size + block - 1) / block * block)
	}
	err := unix.IoctlFileCloneRange(fd, &part)
	if err != nil {
		return err
	}
	return syscall.Ftruncate(fd, at.size)
}
