package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxBytes is far above any settings file; more is not one.
const maxBytes = 16 << 20

// maxLinks is how many symbolic links one path may lead through, as in Linux.
const maxLinks = 40

// File is a file as it was read, or the fact that it was not there.
type File struct {
	Path   string // as asked for
	Real   string // where its bytes are, every link followed
	Text   []byte
	Exists bool
	Mode   fs.FileMode // permission bits, where it exists
	info   fs.FileInfo // as above
}

// Read reads a file through any links. A missing file is no error, nor is a link
// to one: writing then makes the link's target.
func Read(path string) (File, error) {
	real, err := RealPath(path)
	if err != nil {
		return File{}, fmt.Errorf("reading %s: %w", path, err)
	}
	f := File{Path: path, Real: real}
	info, err := os.Lstat(real)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = readable(info)
	}
	if err == nil {
		f.Text, err = readAll(real)
	}
	if err != nil {
		return File{}, fmt.Errorf("reading %s: %w", path, Reason(err))
	}
	f.Exists, f.Mode, f.info = true, info.Mode().Perm(), info
	return f, nil
}

func readable(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case info.Size() > maxBytes:
		return fmt.Errorf("it is larger than %d MB, too large for a settings file", maxBytes>>20)
	}
	return nil
}

func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes))
}

// Reason leaves out the operation and the path that the message already names.
func Reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// RealPath follows every link of a path, as far as the path exists: its missing
// part stays as it is.
func RealPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	root := filepath.VolumeName(path) + string(filepath.Separator)
	done, rest, links := root, split(path[len(root):]), 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if part == ".." {
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, part)
		target, err := os.Readlink(next)
		if err != nil {
			done = next // no link, or not there
			continue
		}
		if links++; links > maxLinks {
			return "", errors.New("too many symbolic links, perhaps in a circle")
		}
		if filepath.IsAbs(target) {
			done, target = root, target[len(root):]
		}
		rest = append(split(target), rest...)
	}
	return done, nil
}

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r))
	})
}
