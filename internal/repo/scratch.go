package repo

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Names of our folders in the system's temporary folder and in a copy's root.
const (
	copyPrefix    = "checkrein-copy-"
	scratchPrefix = "checkrein-state-"
)

// scratch is one process's folder for what it keeps of its copies. A locked file
// in it says that the process lives, and lists the copies, so that the next
// process can remove what a killed one left behind.
type scratch struct {
	dir string

	mu     sync.Mutex
	owner  *os.File
	copies map[string]bool
}

func newScratch() (*scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix+"*")
	if err != nil {
		return nil, err
	}
	owner, err := os.OpenFile(filepath.Join(dir, "owner"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err == nil {
		err = unix.Flock(int(owner.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making %s: %w", dir, err), os.RemoveAll(dir))
	}
	return &scratch{dir: dir, owner: owner, copies: map[string]bool{}}, nil
}

// newCopy makes the folder of a copy. Its name is written down before it exists.
func (s *scratch) newCopy(root string) (string, error) {
	if root == "" {
		root = os.TempDir()
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		dir := filepath.Join(root, copyPrefix+randomName())
		if _, err := s.owner.WriteString(dir + "\n"); err != nil {
			return "", err
		}
		if err := os.Mkdir(dir, 0o700); err == nil || !os.IsExist(err) {
			s.copies[dir] = err == nil
			return dir, err
		}
	}
}

// release gives up a copy: it was removed, or it stays for the user.
func (s *scratch) release(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.copies, dir)
	_, err := s.owner.WriteString("-" + dir + "\n")
	return err
}

func (s *scratch) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for dir := range s.copies {
		errs = append(errs, removeBeside(dir), removeAll(dir))
	}
	return errors.Join(append(errs, removeState(s.dir), s.owner.Close())...)
}

// Sweep removes the copies and the state of processes that were killed. Call it
// before making copies.
func Sweep() error {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPrefix+"*"))
	errs := []error{err}
	for _, dir := range dirs {
		errs = append(errs, sweep(dir))
	}
	return errors.Join(errs...)
}

// sweep removes one dead process's folder. A folder that can't be opened or
// whose lock is held belongs to someone else.
func sweep(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	owner, err := os.OpenFile(filepath.Join(dir, "owner"), os.O_RDWR|unix.O_NOFOLLOW, 0)
	if os.IsNotExist(err) && time.Since(info.ModTime()) > time.Minute {
		return removeAll(dir) // its process was killed before it made the file
	}
	if err != nil {
		return nil
	}
	defer owner.Close()
	if unix.Flock(int(owner.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil
	}
	var errs []error
	for _, left := range listed(owner) {
		errs = append(errs, removeBeside(left), removeAll(left))
	}
	return errors.Join(append(errs, removeState(dir))...)
}

// listed reads which copies are left. It believes only names that we give.
func listed(owner *os.File) []string {
	left := map[string]bool{}
	for lines := bufio.NewScanner(owner); lines.Scan(); {
		dir, gone := strings.CutPrefix(lines.Text(), "-")
		if filepath.IsAbs(dir) && strings.HasPrefix(filepath.Base(dir), copyPrefix) {
			left[dir] = !gone
		}
	}
	var out []string
	for dir, there := range left {
		if there {
			out = append(out, dir)
		}
	}
	return out
}

// removeState removes a process's folder, the owner file last: a folder whose
// removal was cut short must be known by the next sweep.
func removeState(dir string) error {
	entries, _ := os.ReadDir(dir) // what can't be read can't be removed, which is an error below
	var errs []error
	for _, e := range entries {
		if e.Name() != "owner" {
			errs = append(errs, removeAll(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(append(errs, removeAll(dir))...)
}

// removeAll removes a folder even when someone has made parts of it read-only.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	info, lost := os.Lstat(dir)
	if err == nil || lost != nil || !info.IsDir() {
		return err
	}
	reopen(dir, info)
	root, err := os.OpenRoot(dir)
	if err == nil {
		openUp(root, ".")
		err = root.Close()
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// reopen takes back the rights on a folder that was looked at before and is no
// link. Without them not even its own mode can be read from inside.
func reopen(dir string, info os.FileInfo) {
	if info.Mode().Perm()&0o700 != 0o700 {
		_ = os.Chmod(dir, info.Mode().Perm()|0o700) // what can't be changed shows in the next step
	}
}

// openUp makes every folder below one writable for us, links not followed.
func openUp(root *os.Root, dir string) {
	info, err := root.Lstat(dir)
	if err != nil || !info.IsDir() {
		return
	}
	_ = root.Chmod(dir, info.Mode().Perm()|0o700) // what can't be changed shows when it can't be removed
	f, err := root.Open(dir)
	if err != nil {
		return
	}
	entries, _ := f.ReadDir(-1)
	_ = f.Close()
	for _, e := range entries {
		if e.IsDir() {
			openUp(root, filepath.Join(dir, e.Name()))
		}
	}
}

// removeBeside removes what lies next to a copy.
func removeBeside(dir string) error {
	beside, err := filepath.Glob(dir + besideMark + "*")
	errs := []error{err}
	for _, path := range beside {
		errs = append(errs, removeAll(path))
	}
	return errors.Join(errs...)
}

// BesideCopy names a new folder next to a copy, for what a run may write outside
// the copy. It is removed with the copy, by Sweep when this process is killed.
func BesideCopy(dir string) string { return dir + besideMark + randomName() }

const besideMark = ".beside-"

// RemoveAll removes a folder even when parts of it were made read-only.
func RemoveAll(dir string) error { return removeAll(dir) }
