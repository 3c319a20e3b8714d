package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// item is one path of a result.
type item struct {
	Path   string      `json:"path"`
	Mode   fs.FileMode `json:"mode"` // its type and permissions
	Edit   int64       `json:"edit"` // nanoseconds
	Size   int64       `json:"size,omitzero"`
	Hash   string      `json:"hash,omitzero"`   // of a file
	Target string      `json:"target,omitzero"` // of a link
	Opaque bool        `json:"opaque,omitzero"` // a folder of a layer that hides the one below it
}

// budget bounds a result, and says what may not be in it.
type budget struct {
	left int64
	hide []string // paths of the copy: the next copy has another one
}

// errSpecial, errHome and errBig say why a result is not kept.
var (
	errSpecial = errors.New("it left a special file")
	errHome    = errors.New("it wrote down where the copy is")
	errBig     = errors.New("it left too much to be kept")
	errDamaged = errors.New("a kept setup result is damaged")
)

// passing tells whether a file is of no use once its process is gone.
func passing(mode fs.FileMode) bool { return mode&(fs.ModeSocket|fs.ModeNamedPipe) != 0 }

// take copies paths below from to another folder and lists them, folders first.
func take(from string, paths []string, to string, b *budget, skip func(fs.FileMode) bool) (items []item, err error) {
	for _, path := range paths {
		err := filepath.WalkDir(filepath.Join(from, path), func(full string, d fs.DirEntry, err error) error {
			if err != nil || skip != nil && skip(d.Type()) {
				return err
			}
			it, err := describeItem(full, relative(from, full))
			items = append(items, it)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if err := makeFolders(to, paths, items); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	err = each(items, func(it *item) error {
		return it.take(filepath.Join(from, it.Path), filepath.Join(to, it.Path), b, &mu)
	})
	return items, errors.Join(err, finishFolders(to, items, nil))
}

func describeItem(full, rel string) (item, error) {
	info, err := os.Lstat(full)
	if err != nil {
		return item{}, err
	}
	it := item{Path: rel, Mode: info.Mode() & (fs.ModeType | fs.ModePerm | fs.ModeSticky), Edit: info.ModTime().UnixNano()}
	switch it.Mode.Type() {
	case fs.ModeDir:
		it.Opaque = isOpaque(full)
	case fs.ModeSymlink:
		it.Target, err = os.Readlink(full)
	case 0:
		it.Size = info.Size()
	default:
		return it, fmt.Errorf("%w: %s", errSpecial, rel)
	}
	return it, err
}

// makeFolders makes the folders that items need, with all rights for now.
func makeFolders(to string, paths []string, items []item) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(path)), 0o700); err != nil {
			return err
		}
	}
	for _, it := range items {
		if it.Mode.IsDir() {
			if err := os.Mkdir(filepath.Join(to, it.Path), 0o700); err != nil {
				return err
			}
		}
	}
	return nil
}

// take copies one file or link, and notes its hash.
func (it *item) take(from, to string, b *budget, mu *sync.Mutex) error {
	switch it.Mode.Type() {
	case fs.ModeDir:
		return nil
	case fs.ModeSymlink:
		if b.holds([]byte(it.Target)) {
			return errHome
		}
		return os.Symlink(it.Target, to)
	}
	mu.Lock()
	b.left -= it.Size
	over := b.left < 0
	mu.Unlock()
	if over {
		return errBig
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if b.holds(text) {
		return fmt.Errorf("%w: %s", errHome, it.Path)
	}
	it.Hash = digest(text)
	return it.write(to, text, it.Edit)
}

func (b *budget) holds(text []byte) bool {
	for _, dir := range b.hide {
		if bytes.Contains(text, []byte(dir)) {
			return true
		}
	}
	return false
}

// write makes the file, which must not be there.
func (it *item) write(to string, text []byte, edit int64) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, it.Mode.Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(it.Mode.Perm()), f.Close())
	if err != nil {
		return err
	}
	return stampTime(to, edit)
}

func stampTime(path string, edit int64) error {
	at := unix.NsecToTimespec(edit)
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
}

// put copies one file or link of a result, and checks it.
func (it *item) put(from, to string, edit int64) error {
	switch it.Mode.Type() {
	case fs.ModeDir:
		return nil
	case fs.ModeSymlink:
		if err := os.Symlink(it.Target, to); err != nil {
			return err
		}
		return stampTime(to, edit)
	}
	text, err := os.ReadFile(from)
	if err != nil || digest(text) != it.Hash {
		return errors.Join(errDamaged, err)
	}
	return it.write(to, text, edit)
}

// finishFolders gives folders their rights and times, the deepest first. moved
// changes times; nil leaves them.
func finishFolders(to string, items []item, moved func(int64) int64) error {
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		if !it.Mode.IsDir() {
			continue
		}
		full, edit := filepath.Join(to, it.Path), it.Edit
		if moved != nil {
			edit = moved(edit)
		}
		if it.Opaque {
			if err := makeOpaque(full); err != nil {
				return err
			}
		}
		if err := errors.Join(os.Chmod(full, it.Mode&(fs.ModePerm|fs.ModeSticky)), stampTime(full, edit)); err != nil {
			return err
		}
	}
	return nil
}

// each calls do for every item, on several cores.
func each(items []item, do func(*item) error) error {
	const stretch = 64
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, max(runtime.GOMAXPROCS(0), 2))
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				from := int(next.Add(stretch)) - stretch
				for i := from; i < min(from+stretch, len(items)) && errs[w] == nil; i++ {
					errs[w] = do(&items[i])
				}
				if from >= len(items) {
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
