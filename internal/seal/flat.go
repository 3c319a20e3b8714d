package seal

import (
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

// copyInto copies files, folders and links; what is there already stays.
func copyInto(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyOne(filepath.Join(to, rel), path, entry)
	})
}

func copyOne(to, from string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	switch _, there := os.Lstat(to); {
	case there == nil:
		return nil
	case entry.IsDir():
		return os.Mkdir(to, info.Mode().Perm()|0o700)
	case entry.Type() == fs.ModeSymlink:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !entry.Type().IsRegular():
		return nil // a socket that setup left
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, info.Mode().Perm())
}
