package drive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"checkrein/internal/redact"
	"checkrein/internal/task"
)

// LockMining makes this process the only one that mines into a tasks file, whose
// logs, kept setups and build caches lie beside it. The error is BadInput where
// another one does.
func LockMining(tasks string) (unlock func(), err error) {
	if device(tasks) {
		return func() {}, nil
	}
	unlock, err = lock(tasks + ".mining")
	if locked := (errLocked{}); errors.As(err, &locked) {
		return nil, badInput("another drive mine (process %d) is at work on %s; let it finish, or stop it first", locked.pid, redact.Code(tasks, 300))
	}
	if err != nil {
		return nil, fmt.Errorf("locking the tasks: %w", err)
	}
	return unlock, nil
}

// WriteTasks puts what was mined in the place of a tasks file, and keeps what was
// decided about its tasks. A kill leaves the old file or the new one.
func WriteTasks(path string, doc *task.Document) error {
	if device(path) {
		text, err := doc.Marshal()
		return errors.Join(err, os.WriteFile(path, text, 0o666))
	}
	unlock, err := lockText(path)
	if err != nil {
		return err
	}
	defer unlock()
	if old, err := ReadTasks(path); err == nil {
		doc.KeepReviews(old)
	}
	text, err := doc.Marshal()
	if err != nil {
		return err
	}
	return putInPlace(path, text)
}

// device tells what can only be written to, such as /dev/stdout.
func device(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// putInPlace replaces a file, or the one that a link leads to. The one that takes
// its place has a name of its own only for the holder of the lock of mining.
func putInPlace(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if old, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		old.Close()
	} else if !errors.Is(err, os.ErrNotExist) {
		return err // its owner wants it kept
	}
	next := path + ".new"
	defer os.Remove(next)
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if info, old := os.Stat(path); old == nil {
		err = errors.Join(err, f.Chmod(info.Mode().Perm()))
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, path)
}
