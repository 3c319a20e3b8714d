package drive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"checkrein/internal/task"
)

// reviewPatience is how long one change of a tasks file waits for another.
const reviewPatience = 3 * time.Second

// Review changes tasks of a tasks file in one step: do gets the file as it is now
// and returns the tasks that it changed. It is refused while agents run on the
// tasks, because what they were asked is fixed by then. A link is followed.
func Review(path string, do func(doc task.Document) ([]task.Task, error)) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	unlock, err := lockTasks(path)
	if err != nil {
		return err
	}
	defer unlock()
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	doc, err := ReadTasks(path)
	if err != nil {
		return err
	}
	changed, err := do(doc)
	if err != nil || len(changed) == 0 {
		return err
	}
	if text, err = task.Rewrite(text, changed); err != nil {
		return err
	}
	return overwrite(path, text)
}

// lockTasks makes sure that no run reads the tasks and nobody else changes them.
func lockTasks(path string) (unlock func(), err error) {
	tasks, err := lockText(path)
	if err != nil {
		return nil, err
	}
	results, err := lock(filepath.Join(filepath.Dir(path), "results.jsonl"))
	if locked := (errLocked{}); errors.As(err, &locked) {
		err = badInput("agents are running on these tasks (process %d): let them finish, or stop them first", locked.pid)
	}
	if err != nil {
		tasks()
		return nil, err
	}
	return func() { results(); tasks() }, nil
}

// lockText makes sure that nobody else changes the tasks.
func lockText(path string) (unlock func(), err error) {
	unlock, err = lock(path)
	for limit := time.Now().Add(reviewPatience); errors.As(err, new(errLocked)) && time.Now().Before(limit); {
		time.Sleep(20 * time.Millisecond)
		unlock, err = lock(path)
	}
	if locked := (errLocked{}); errors.As(err, &locked) {
		err = badInput("another command (process %d) is changing these tasks", locked.pid)
	}
	return unlock, err
}

// overwrite replaces a file that its owner lets us write, and keeps its rights.
func overwrite(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := replace(path, text, true); err != nil {
		return fmt.Errorf("writing the tasks: %w", err)
	}
	return os.Chmod(path, info.Mode().Perm())
}
