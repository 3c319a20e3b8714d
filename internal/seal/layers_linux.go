package seal

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

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
