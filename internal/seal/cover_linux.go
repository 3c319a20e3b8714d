package seal

import "golang.org/x/sys/unix"

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
