//go:build unix

package settings

import (
	"os"
	"syscall"
)

// keepOwner gives the new file the old one's owner, which differs when root
// installs for a user (sudo): an agent that can't read its settings ignores them.
func keepOwner(tmp *os.File, f File) error {
	if !f.Exists || os.Geteuid() != 0 {
		return nil
	}
	if owner, ok := f.info.Sys().(*syscall.Stat_t); ok {
		return tmp.Chown(int(owner.Uid), int(owner.Gid))
	}
	return nil
}

// syncFolder makes the rename itself last.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a folder may be writable and not readable
	}
	defer d.Close()
	_ = d.Sync() // some file systems refuse; the file is in place either way
	return nil
}
