package drive_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkrein/internal/drive"
	"checkrein/internal/task"
)

func TestTwoMiningsOfOneTasksFile(t *testing.T) {
	tasks := filepath.Join(t.TempDir(), "tasks.json")
	unlock, err := drive.LockMining(tasks)
	if err != nil {
		t.Fatal(err)
	}
	_, err = drive.LockMining(tasks)
	if !errors.As(err, new(drive.BadInput)) || !strings.Contains(err.Error(), "let it finish") {
		t.Errorf("a second one: %v", err)
	}
	unlock()
	unlock, err = drive.LockMining(tasks)
	if err != nil {
		t.Fatalf("once the first is done: %v", err)
	}
	unlock()
	if unlock, err = drive.LockMining(os.DevNull); err != nil {
		t.Fatalf("a device has nothing beside it to mix up: %v", err)
	}
	unlock()
}

// TestATasksFileIsReplacedWhole: one that others read, through a link, with rights
// of its owner's choice.
func TestATasksFileIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "tasks.json")
	for _, err := range []error{os.WriteFile(file, []byte("half of"), 0o640), os.Chmod(file, 0o640), os.Symlink("real.json", link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	reader, err := os.Open(link)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := drive.WriteTasks(link, &task.Document{Tasks: []task.Task{}}); err != nil {
		t.Fatal(err)
	}
	if text := make([]byte, 100); true {
		if n, _ := reader.Read(text); string(text[:n]) != "half of" {
			t.Errorf("a reader of the old file got %q", text[:n])
		}
	}
	if _, err := drive.ReadTasks(file); err != nil {
		t.Errorf("the file behind the link: %v", err)
	}
	info, _ := os.Lstat(link)
	real, _ := os.Stat(file)
	if info.Mode()&os.ModeSymlink == 0 || real.Mode().Perm() != 0o640 {
		t.Errorf("the link is now %v, the file has %v", info.Mode(), real.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left beside it: %v", entries)
	}
}
