package repo

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// tooBig is the size from which a file's content is not taken into a patch: no
// fix has such a file, and a stray core dump must not fill the disk.
const tooBig = 64 << 20

// snapshot is what a copy holds at one moment.
type snapshot struct {
	files []file   // in path order
	tree  string   // the git tree of files; "" until it is written
	big   []string // files left out because they are too big
}

// take walks the copy and hashes its files. What known has is always looked at;
// everything else stays out when a tool's cache or the baseline's ignore rules
// say so. Contents that the repository lacks are saved.
func (ws *Workspace) take(ctx context.Context, known []file) (*snapshot, error) {
	root, err := ws.root()
	if errors.Is(err, errMoved) {
		return &snapshot{}, nil // nothing is left of it
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	w := newWalk(root, known)
	w.folder("")
	fresh, err := ws.unignored(ctx, w.fresh)
	if err != nil {
		return nil, err
	}
	paths := append(w.known, fresh...)
	slices.Sort(paths)
	return ws.hash(ctx, root, paths)
}

// walk finds the files of a copy.
type walk struct {
	root    *os.Root
	has     map[string]bool // paths of known files
	folders map[string]bool // folders that hold known files
	known   []string
	fresh   []string
}

func newWalk(root *os.Root, known []file) *walk {
	w := &walk{root: root, has: make(map[string]bool, len(known)), folders: map[string]bool{}}
	for _, f := range known {
		w.has[f.path] = true
	}
	for _, dir := range folders(known) {
		w.folders[dir] = true
	}
	return w
}

// folder lists one folder. A .git at any depth is an agent's own business; files
// beside it are looked at like all others.
func (w *walk) folder(dir string) {
	entries := w.list(dir)
	for _, e := range entries {
		path := strings.TrimPrefix(dir+"/"+e.Name(), "/")
		switch {
		case !Inside(path):
		case e.IsDir():
			if w.folders[path] || !cacheFolder(w.root, path, e.Name()) {
				w.folder(path)
			}
		case !e.Type().IsRegular() && e.Type()&os.ModeSymlink == 0: // sockets, pipes, devices
		case w.has[path]:
			w.known = append(w.known, path)
		case !cacheFile(e.Name()):
			w.fresh = append(w.fresh, path)
		}
	}
}

// list reads a folder, taking back the permission to when an agent took it away.
func (w *walk) list(dir string) []os.DirEntry {
	name := filepath.FromSlash(dir)
	if dir == "" {
		name = "."
	}
	if info, err := w.root.Lstat(name); err != nil || !info.IsDir() {
		return nil
	} else if info.Mode().Perm()&0o700 != 0o700 {
		_ = w.root.Chmod(name, 0o755) // if it fails, so does the next step
	}
	f, err := w.root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	return entries
}

// hash reads every file and saves what is new.
func (ws *Workspace) hash(ctx context.Context, root *os.Root, paths []string) (*snapshot, error) {
	files := make([]file, len(paths))
	for i, path := range paths {
		files[i].path = path
	}
	var mu sync.Mutex
	s := &snapshot{}
	err := inParallel(ctx, files, func(f *file) error {
		mode, data, big, err := readFile(root, f.path)
		if big {
			mu.Lock()
			s.big = append(s.big, f.path)
			mu.Unlock()
		}
		if err != nil || big || mode == "" {
			return err
		}
		id := blobID(ws.repo.format, data)
		f.mode, f.id = mode, id
		if _, there := ws.repo.blobs.find(id); there {
			return nil
		}
		return ws.git.save(id, data)
	})
	if err != nil {
		return nil, fmt.Errorf("reading the copy: %w", err)
	}
	s.files = slices.DeleteFunc(files, func(f file) bool { return f.id == "" })
	slices.Sort(s.big)
	return s, nil
}

// readFile reads one file as git stores it. The mode is "" for a file that has
// vanished or become something else.
func readFile(root *os.Root, path string) (mode string, data []byte, big bool, err error) {
	info, err := root.Lstat(path)
	switch {
	case err != nil:
		return "", nil, false, nil
	case info.Mode()&os.ModeSymlink != 0:
		target, err := root.Readlink(path)
		return modeLink, []byte(target), false, err
	case !info.Mode().IsRegular():
		return "", nil, false, nil
	case info.Size() > tooBig:
		return "", nil, true, nil
	case info.Mode().Perm()&0o400 == 0:
		if err := root.Chmod(path, info.Mode().Perm()|0o600); err != nil {
			return "", nil, false, err
		}
	}
	mode = modeFile
	if info.Mode().Perm()&0o100 != 0 {
		mode = modeExec
	}
	data, err = root.ReadFile(path)
	return mode, data, false, err
}

// blobID is git's name for a content.
func blobID(format string, data []byte) string {
	var h hash.Hash = sha1.New()
	if format == "sha256" {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// save stores a content as a loose object.
func (g *gitDir) save(id string, data []byte) error {
	dir := filepath.Join(g.dir, "objects", id[:2])
	path := filepath.Join(dir, id[2:])
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		return err
	}
	fmt.Fprintf(z, "blob %d\x00", len(data))
	if _, err = z.Write(data); err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return writeNew(path, packed.Bytes())
}

// writeNew writes under another name first, because two files of a copy can
// have the same content.
func writeNew(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "tmp_obj_")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// content returns a content from the user's repository or from what a copy saved.
func (ws *Workspace) content(id string) ([]byte, error) {
	if _, there := ws.repo.blobs.find(id); there {
		return ws.repo.blobs.read(id)
	}
	f, err := os.Open(filepath.Join(ws.git.dir, "objects", id[:2], id[2:]))
	if err != nil {
		return nil, missing(id)
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(z)
	_, data, _ = bytes.Cut(data, []byte{0})
	return data, err
}
