package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
)

// Copy makes a new folder below root ("" for the system's temporary folder)
// with the files of commit, and a .git of its own that holds one commit. The
// second and later copies of a commit come from a template. Contents are what
// the repository stores: no line-end conversion, Git LFS pointers as they are,
// no submodules. The error is ErrNoObject when the clone lacks a part of the
// commit.
func (r *Repo) Copy(ctx context.Context, commit, root string) (*Workspace, error) {
	t, err := r.template(ctx, commit)
	if err != nil {
		return nil, err
	}
	ws, err := r.newWorkspace(root, t)
	if err != nil {
		return nil, fmt.Errorf("making a folder for a copy: %w", err)
	}
	if err := t.writeTo(ctx, r.blobs, ws.Dir, &sharing{}); err != nil {
		return nil, errors.Join(err, ws.Remove())
	}
	return ws, nil
}

// writeTo writes a prepared copy into a new, empty folder. Links are written
// last, so no file is ever written through one.
func (t *template) writeTo(ctx context.Context, blobs *spool, dir string, sharing *sharing) error {
	own := filepath.Join(dir, ".git")
	for _, sub := range append([]string{own, own + "/info", own + "/objects", own + "/objects/info", own + "/objects/pack", own + "/refs", own + "/refs/heads", own + "/refs/tags"}, inDir(dir, t.dirs)...) {
		if err := os.Mkdir(sub, 0o777); err != nil {
			return fmt.Errorf("writing a copy: %w", err)
		}
	}
	for _, f := range t.own {
		if err := writeSpan(filepath.Join(own, f.path), f.mode, f.in, span{size: f.size, whole: true}, sharing); err != nil {
			return fmt.Errorf("writing a copy: %w", err)
		}
	}
	if err := inParallel(ctx, t.files, func(f *file) error { return writeFile(dir, f, blobs, sharing) }); err != nil {
		return fmt.Errorf("writing a copy: %w", err)
	}
	return writeLinks(dir, t.files, blobs)
}

func inDir(dir string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = filepath.Join(dir, name)
	}
	return out
}

func writeFile(dir string, f *file, blobs *spool, s *sharing) error {
	if f.mode == modeLink {
		return nil
	}
	at, ok := blobs.find(f.id)
	if !ok {
		return missing(f.id)
	}
	return writeSpan(dir+"/"+f.path, permissions(f.mode), blobs.file, at, s)
}

// permissions of a new file; the user's umask takes away from them.
func permissions(mode string) os.FileMode {
	if mode == modeExec {
		return 0o777
	}
	return 0o666
}

func writeLinks(dir string, files []file, blobs *spool) error {
	for _, f := range files {
		if f.mode != modeLink {
			continue
		}
		target, err := blobs.read(f.id)
		if err == nil {
			err = os.Symlink(string(target), dir+"/"+f.path)
		}
		if err != nil {
			return fmt.Errorf("writing a copy: %w", err)
		}
	}
	return nil
}

// sharing remembers that the file system can't share blocks, after the first try.
type sharing struct{ refused atomic.Bool }

// shareFrom is the size from which sharing blocks is worth a system call.
const shareFrom = 4 * block

// writeSpan creates one file from a part of another. It shares the blocks where
// the file system can, and copies the bytes where not.
func writeSpan(path string, mode os.FileMode, from *os.File, at span, s *sharing) error {
	fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, uint32(mode.Perm()))
	if err != nil {
		return &os.PathError{Op: "creating", Path: path, Err: err}
	}
	if at.size >= shareFrom && at.off%block == 0 && !s.refused.Load() {
		if shareBlocks(fd, int(from.Fd()), at) == nil {
			return syscall.Close(fd)
		}
		s.refused.Store(true)
	}
	err = copySpan(fd, from, at)
	if closed := syscall.Close(fd); err == nil && closed != nil {
		err = closed
	}
	if err != nil {
		return &os.PathError{Op: "writing", Path: path, Err: err}
	}
	return nil
}

func copySpan(fd int, from *os.File, at span) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for done := int64(0); done < at.size; {
		chunk := (*buf)[:min(int64(len(*buf)), at.size-done)]
		n, err := from.ReadAt(chunk, at.off+done)
		if n == 0 {
			return errors.Join(io.ErrUnexpectedEOF, err)
		}
		if err := writeAll(fd, chunk[:n]); err != nil {
			return err
		}
		done += int64(n)
	}
	return nil
}

func writeAll(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := syscall.Write(fd, data)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return err
		}
		data = data[max(n, 0):]
	}
	return nil
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 128<<10); return &b }}

// inParallel calls do for every file, on several cores, in stretches of
// neighbours: files of one folder contend for its lock.
func inParallel(ctx context.Context, files []file, do func(*file) error) error {
	const stretch = 64
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, writers())
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil && ctx.Err() == nil {
				from := int(next.Add(stretch)) - stretch
				if from >= len(files) {
					return
				}
				for i := from; i < min(from+stretch, len(files)); i++ {
					if errs[w] = do(&files[i]); errs[w] != nil {
						return
					}
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, context.Cause(ctx))...)
}

// writers leaves one of Go's processors free: with all of them in system calls
// the runtime would take each away and give it back again, at every file.
func writers() int { return max(runtime.GOMAXPROCS(0)-1, 1) }
