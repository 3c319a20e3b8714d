package seal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
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

// builder puts mounts into the new root.
type builder struct {
	root    *os.Root
	sealed  []int // mounts that become read-only when all else is in its place
	folders int   // layers so far
	flat    bool
}

func newBuilder() (*builder, error) {
	fd, err := filesystem("tmpfs", "mode=0755")
	if err != nil {
		return nil, fmt.Errorf("mounting a root: %w", err)
	}
	if err := unix.MoveMount(fd, "", unix.AT_FDCWD, newRoot, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return nil, fmt.Errorf("mounting a root: %w", err)
	}
	root, err := os.OpenRoot(newRoot)
	return &builder{root: root, sealed: []int{fd}}, err
}

// finish makes read-only what only had to take mount points.
func (b *builder) finish() error {
	for _, fd := range b.sealed {
		attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOSUID}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attr); err != nil {
			return fmt.Errorf("making the root read-only: %w", err)
		}
		_ = unix.Close(fd)
	}
	return b.root.Close()
}

func (b *builder) put(m mount) error {
	at := strings.TrimPrefix(string(m.At), "/")
	switch m.How {
	case link:
		return b.link(at, string(m.From[0]))
	case empty:
		return b.mask(at)
	case locked:
		return b.lock(at)
	}
	fd, isFile, err := b.mount(m)
	if m.How == reads && (errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOENT)) {
		return nil // gone since, or another user's: root has no powers over it here
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := b.place(at, isFile); err != nil {
		return err
	}
	return b.attach(fd, at)
}

// mount makes the mount that goes to a place. It has none yet.
func (b *builder) mount(m mount) (fd int, isFile bool, err error) {
	const quiet = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	switch m.How {
	case reads:
		return bind(m.From[0], quiet|unix.MOUNT_ATTR_RDONLY)
	case writes:
		return bind(m.From[0], quiet)
	case device:
		return bind(m.From[0], unix.MOUNT_ATTR_NOSUID)
	case layers:
		fd, err = b.layers(m)
	case scratch:
		fd, err = filesystem("tmpfs", scratchMode(string(m.At)))
	case system:
		fd, err = filesystem("proc")
	case pts:
		fd, err = filesystem("devpts", "newinstance", "ptmxmode=0666", "mode=0620")
	default:
		err = fmt.Errorf("unknown kind %d", m.How)
	}
	return fd, false, err
}

// place makes the file or folder that something is mounted on. Links in it are
// followed inside the new root only: a setup may have left them in its home.
func (b *builder) place(at string, isFile bool) error {
	if b.there(at) {
		return nil
	}
	if !isFile {
		return b.root.MkdirAll(at, 0o755)
	}
	if err := b.root.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := b.root.OpenFile(at, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (b *builder) there(at string) bool {
	fd, err := b.open(at)
	if err != nil {
		return false
	}
	return unix.Close(fd) == nil
}

func (b *builder) open(at string) (int, error) {
	dir, err := b.root.Open(".")
	if err != nil {
		return -1, err
	}
	defer dir.Close()
	return unix.Openat2(int(dir.Fd()), at, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS})
}

func (b *builder) attach(fd int, at string) error {
	to, err := b.open(at)
	if err != nil {
		return err
	}
	defer unix.Close(to)
	return unix.MoveMount(fd, "", to, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// link makes a symbolic link, where nothing is yet.
func (b *builder) link(at, to string) error {
	if err := b.root.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if err := b.root.Symlink(to, at); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// mask hides a file or folder, where there is one.
func (b *builder) mask(at string) error {
	to, err := b.open(at)
	if err != nil {
		return nil
	}
	var info unix.Stat_t
	err = unix.Fstat(to, &info)
	_ = unix.Close(to)
	if err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		fd, _, err := bind([]byte("/dev/null"), unix.MOUNT_ATTR_RDONLY)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return b.attach(fd, at)
	}
	fd, err := filesystem("tmpfs", "mode=0755")
	if err != nil {
		return err
	}
	b.sealed = append(b.sealed, fd)
	return b.attach(fd, at)
}

// lock makes a part of a mount read-only, where there is one.
func (b *builder) lock(at string) error {
	if !b.there(at) {
		return nil
	}
	fd, _, err := take(newRoot+"/"+at, unix.MOUNT_ATTR_RDONLY)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return b.attach(fd, at)
}

// layers mounts folders over each other, the changes on top.
func (b *builder) layers(m mount) (int, error) {
	if b.flat {
		return b.withoutLayers(m)
	}
	var list []string
	for _, from := range append([][]byte{m.Upper}, m.From...) {
		dir := lowers + "/" + strconv.Itoa(b.folders)
		b.folders++
		fd, _, err := bind(from, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
		if err != nil {
			return -1, err
		}
		err = os.Mkdir(dir, 0o700)
		if err == nil {
			err = unix.MoveMount(fd, "", unix.AT_FDCWD, dir, unix.MOVE_MOUNT_F_EMPTY_PATH)
		}
		_ = unix.Close(fd)
		if err != nil {
			return -1, err
		}
		list = append(list, dir)
	}
	fd, err := filesystem("overlay", "userxattr", "lowerdir="+strings.Join(list[1:], ":"), "upperdir="+list[0]+"/new", "workdir="+list[0]+"/work")
	if err == nil {
		return fd, nil
	}
	return b.withoutLayers(m)
}

func (b *builder) withoutLayers(m mount) (int, error) {
	flat, from := m.flatten()
	if from != "" {
		if err := copyInto(oldRoot+string(flat.From[0]), oldRoot+from); err != nil {
			return -1, err
		}
	}
	fd, _, err := b.mount(flat)
	return fd, err
}
