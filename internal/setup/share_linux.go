package setup

import (
	"os"

	"golang.org/x/sys/unix"
)

// sharesBlocks tells whether one file can get another's content unread.
func sharesBlocks(from, to string) bool {
	in, err := os.Open(from)
	if err != nil {
		return true
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return true
	}
	defer out.Close()
	return unix.IoctlFileClone(int(out.Fd()), int(in.Fd())) == nil
}

// opaque is overlayfs's mark on a folder that hides the one below it.
const opaque = "user.overlay.opaque"

func isOpaque(dir string) bool {
	var buf [8]byte
	n, err := unix.Lgetxattr(dir, opaque, buf[:])
	return err == nil && n > 0
}

func makeOpaque(dir string) error { return unix.Lsetxattr(dir, opaque, []byte("y"), 0) }
