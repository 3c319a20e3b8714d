package repo

import (
	"errors"
	"io/fs"
	"os"
)

// clearPath removes whatever stands at path, and any link or file where one of
// its folders belongs, so that a write never goes where an agent's link leads.
// A root can't be left in any case; this keeps writes off the wrong place inside.
func clearPath(root *os.Root, path string) error {
	for i, c := range path {
		if c != '/' {
			continue
		}
		info, err := root.Lstat(path[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return root.Remove(path[:i])
		}
		if info.Mode().Perm()&0o700 != 0o700 {
			if err := root.Chmod(path[:i], 0o755); err != nil {
				return err
			}
		}
	}
	return clearAt(root, path)
}

func clearAt(root *os.Root, path string) error {
	info, err := root.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		openUp(root, path)
	}
	return root.RemoveAll(path)
}

// putFile writes one file with its mode, or makes a link.
func putFile(root *os.Root, f file, data []byte) error {
	if err := clearPath(root, f.path); err != nil {
		return err
	}
	if dir := parent(f.path); dir != "" {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	if f.mode == modeLink {
		return root.Symlink(string(data), f.path)
	}
	out, err := root.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions(f.mode))
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return errors.Join(err, out.Close())
}
