package seal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"checkrein/internal/proc"
)

// flat says what stands in for layers where the kernel has none: on a disk that
// can't hold one (an overlay of a container), or from a bubblewrap before 0.11.
type flat uint8

// What stands in for layers.
const (
	hosts  flat = iota // what the host has, read-only
	fresh              // the private folder, empty
	copied             // the private folder with what setup left
)

// standIn chooses. Setup can fill an empty cache, because it has network; tests can't,
// so they have what setup left, or the host's. A compiler must be able to write.
func (v *view) standIn(path, earlier string) flat {
	switch {
	case v.start.Kind == proc.Setup || earlier == "" && buildCache(filepath.Base(path)):
		return fresh
	case earlier != "":
		return copied
	}
	return hosts
}

// buildCache tells whether a cache is one that is no use unless it can be written.
func buildCache(name string) bool {
	return name == "go-build" || name == "ccache" || name == "sccache" || name == "zig" || name == "bazel"
}

// flatten is the mount without layers. Its second value is what has to be copied
// into it first.
func (m mount) flatten() (flat mount, from string) {
	private := [][]byte{[]byte(filepath.Join(string(m.Upper), "new"))}
	switch m.Flat {
	case fresh:
		return mount{At: m.At, How: writes, From: private}, ""
	case copied:
		return mount{At: m.At, How: writes, From: private}, string(m.From[0])
	}
	return mount{At: m.At, How: reads, From: m.From[len(m.From)-1:]}, ""
}

// copyInto copies a folder, once. What can't be copied (a socket that setup left)
// is no reason to start nothing.
func copyInto(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
