package seal

import (
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/go-json-experiment/json"
	"golang.org/x/sys/unix"
)

// namespaces is how the supervisor is started: first process of its own
// namespaces, as the same user, with what it needs to build the wall. Ambient
// capabilities survive the start of a program by an ordinary user. The last ones
// are for overlayfs, which works with the rights of who mounts it, in a folder
// that it makes unreadable.
func namespaces(lonely bool) *syscall.SysProcAttr {
	flags := uintptr(unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS)
	if lonely {
		flags |= unix.CLONE_NEWNET
	}
	one := func(id int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
	}
	return &syscall.SysProcAttr{
		Cloneflags: flags, UidMappings: one(os.Geteuid()), GidMappings: one(os.Getegid()),
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_CHOWN},
	}
}

// Names in the first root of the supervisor, from which it builds the second.
const (
	oldRoot = "/old" // all of the host
	newRoot = "/new"
	lowers  = "/layers" // short names for layers, because overlayfs takes a list of paths
)

// Enter is the [proc.Enter] of these walls.
func Enter(data []byte, files []uintptr) error {
	runtime.LockOSThread()
	var p plan
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("reading the plan of the wall: %w", err)
	}
	if p.Built {
		return settle(p, files)
	}
	if err := build(p); err != nil {
		return fmt.Errorf("building the wall: %w", err)
	}
	if p.Lonely {
		if err := loopbackUp(); err != nil {
			return fmt.Errorf("building the wall: starting the loopback network: %w", err)
		}
	}
	if err := drop(p); err != nil {
		return fmt.Errorf("building the wall: giving up rights: %w", err)
	}
	return guard(p, files)
}

// build makes the new root and goes there.
func build(p plan) error {
	if err := leaveRoot(); err != nil {
		return err
	}
	b, err := newBuilder()
	if err != nil {
		return err
	}
	b.flat = p.Flat
	for _, m := range p.Mounts {
		if err := b.put(m); err != nil {
			return fmt.Errorf("%s: %w", m.At, err)
		}
	}
	if err := b.finish(); err != nil {
		return err
	}
	return enterRoot()
}

// leaveRoot moves to an empty root with the host below it. Any folder will do for
// the moment when the new root must lie somewhere.
func leaveRoot() error {
	const moment = "/dev"
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("separating mounts: %w", err)
	}
	if err := unix.Mount("tmpfs", moment, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return fmt.Errorf("mounting a root: %w", err)
	}
	for _, dir := range []string{oldRoot, newRoot, lowers} {
		if err := os.Mkdir(moment+dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.PivotRoot(moment, moment+oldRoot); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	return os.Chdir("/")
}

// enterRoot makes the new root the only one.
func enterRoot() error {
	if err := os.Chdir(newRoot); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the old root: %w", err)
	}
	return os.Chdir("/")
}
