package seal

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// bind takes a file or folder of the host, with all that is mounted in it.
func bind(from []byte, attr uint64) (fd int, isFile bool, err error) {
	fd, isFile, err = take(oldRoot+string(from), attr)
	if err != nil {
		return -1, false, fmt.Errorf("showing %s: %w", from, err)
	}
	return fd, isFile, nil
}

func take(path string, attr uint64) (fd int, isFile bool, err error) {
	fd, err = unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return -1, false, err
	}
	err = unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attr})
	var info unix.Stat_t
	if err == nil {
		err = unix.Fstat(fd, &info)
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, false, err
	}
	return fd, info.Mode&unix.S_IFMT != unix.S_IFDIR, nil
}

// filesystem makes a new one, with options "name" or "name=value".
func filesystem(kind string, options ...string) (int, error) {
	context, err := unix.Fsopen(kind, unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("a new %s: %w", kind, err)
	}
	defer unix.Close(context)
	for _, option := range options {
		if name, val, ok := strings.Cut(option, "="); ok {
			err = unix.FsconfigSetString(context, name, val)
		} else {
			err = unix.FsconfigSetFlag(context, name)
		}
		if err != nil {
			return -1, fmt.Errorf("a new %s with %s: %w", kind, option, err)
		}
	}
	if err := unix.FsconfigCreate(context); err != nil {
		return -1, fmt.Errorf("a new %s: %w", kind, err)
	}
	attr := unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	if kind == "proc" || kind == "devpts" {
		attr = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC
	}
	fd, err := unix.Fsmount(context, unix.FSMOUNT_CLOEXEC, attr)
	if err != nil {
		return -1, fmt.Errorf("a new %s: %w", kind, err)
	}
	return fd, nil
}

// loopbackUp starts the loopback network of a new namespace: tests may talk to
// servers that they start.
func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, request)
}
