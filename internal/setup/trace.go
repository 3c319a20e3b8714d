package setup

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"checkrein/internal/repo"
)

// A file system writes down when a file was last read. Most do so only when that
// was not later than its last change, so before a setup all files of a copy get a
// reading time of long ago; those that have another one afterwards were read. That
// a file was asked for and is not there leaves no trace, nor does the look at a
// file's size: key.go has the names that package managers look for.

// longAgo is the reading time of what was not read.
var longAgo = unix.Timespec{Sec: 1_000_000_000}

// seen is one path of a copy as it was looked at.
type seen struct {
	mode         fs.FileMode // its type and permissions
	size         int64
	inode        uint64
	links        uint64
	read         unix.Timespec
	edit, change unix.Timespec
	names        []fs.DirEntry // of a folder
	sum          string        // what it held before the setup
}

func (s seen) isDir() bool { return s.mode.IsDir() }

// before is a copy as it was before its setup.
type before struct {
	paths   map[string]seen
	traced  bool
	outside string // see outside.go
}

// watch looks at a copy and makes later reads show.
func (p *Copy) watch() (*before, error) {
	traced := p.cache.traces(p.dir)
	paths, err := look(p.dir)
	if err != nil {
		return nil, err
	}
	for path, s := range paths {
		if s, err = remember(filepath.Join(p.dir, path), path, s); err != nil {
			return nil, err
		}
		paths[path] = s
	}
	return &before{paths, traced, installed()}, nil
}

// look looks at everything in a copy. A folder is looked at before its names are
// read, because that leaves a trace.
func look(dir string) (map[string]seen, error) {
	out := map[string]seen{}
	var folder func(rel string) error
	folder = func(rel string) error {
		full := filepath.Join(dir, rel)
		s, err := glance(full)
		if err != nil {
			return err
		}
		if s.isDir() {
			if s.names, err = os.ReadDir(full); err != nil {
				return err
			}
		}
		out[rel] = s
		for _, e := range s.names {
			if err := folder(strings.TrimPrefix(rel+"/"+e.Name(), "/")); err != nil {
				return err
			}
		}
		return nil
	}
	return out, folder("")
}

// glance looks at one path without leaving a trace.
func glance(full string) (seen, error) {
	var st unix.Stat_t
	if err := unix.Lstat(full, &st); err != nil {
		return seen{}, &os.PathError{Op: "looking at", Path: full, Err: err}
	}
	return seen{
		mode: modeOf(uint32(st.Mode)), size: st.Size, inode: st.Ino, links: uint64(st.Nlink), read: st.Atim, edit: st.Mtim, change: st.Ctim,
	}, nil
}

func modeOf(mode uint32) fs.FileMode {
	out := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		out |= fs.ModeDir
	case unix.S_IFLNK:
		out |= fs.ModeSymlink
	case unix.S_IFREG:
	default:
		out |= fs.ModeIrregular
	}
	return out
}

// remember reads a path, and makes it one that was not read.
func remember(full, path string, s seen) (seen, error) {
	sum := listing(s.names, isGit)
	if !s.isDir() && (!inGit(path) || hooks(path)) {
		var err error
		if sum, err = content(full); err != nil {
			return s, err
		}
	}
	s, err := unread(full, s)
	s.sum = sum
	return s, err
}

func isGit(name string) bool { return name == ".git" }

// unread gives a path the reading time of long ago.
func unread(full string, s seen) (seen, error) {
	if err := unix.UtimesNanoAt(unix.AT_FDCWD, full, []unix.Timespec{longAgo, s.edit}, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return s, &os.PathError{Op: "setting the reading time of", Path: full, Err: err}
	}
	now, err := glance(full)
	now.names = s.names
	return now, err
}

// traces tells whether reads leave a trace in the file system of a copy. Where
// files can be copied by sharing their blocks, a copy may be made unseen.
func (c *Cache) traces(copied string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sees == nil {
		ok, err := tryTraces(repo.BesideCopy(copied))
		c.sees = new(ok && err == nil)
	}
	return *c.sees
}

func tryTraces(dir string) (bool, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	file, other := filepath.Join(dir, "file"), filepath.Join(dir, "other")
	for _, name := range []string{file, other} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			return false, err
		}
	}
	for _, path := range []string{file, dir} {
		s, err := glance(path)
		if err != nil {
			return false, err
		}
		if _, err := unread(path, s); err != nil {
			return false, err
		}
	}
	_, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	readFile, err := wasRead(file)
	if err != nil || !readFile || sharesBlocks(file, other) {
		return false, err
	}
	if _, err := os.ReadDir(dir); err != nil {
		return false, err
	}
	return wasRead(dir)
}

func wasRead(full string) (bool, error) {
	s, err := glance(full)
	return s.read.Sec != longAgo.Sec, err
}
