package seal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

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
