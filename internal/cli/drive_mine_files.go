//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/drive"
	"checkrein/internal/repo"
	"checkrein/internal/task"
)

// tasksFile is the path of the tasks file, its folder made. The default folder
// keeps itself out of git.
func (f mineFlags) tasksFile(r *repo.Repo) (string, error) {
	path := f.tasks
	if path == "" {
		path = filepath.Join(r.Top, driveFolder, "tasks.json")
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", fmt.Errorf("making the folder of the tasks file: %w", err)
	}
	if f.tasks != "" {
		return path, nil
	}
	ignore, err := os.OpenFile(filepath.Join(folder, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return path, nil
	}
	if err == nil {
		_, err = ignore.WriteString("# Written by checkrein: keeps this folder out of git.\n*\n")
		err = errors.Join(err, ignore.Close())
	}
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", filepath.Join(folder, ".gitignore"), err)
	}
	return path, nil
}

// deliver writes the tasks file and prints the report.
func (f mineFlags) deliver(doc *task.Document, tasks string, env Env) error {
	if err := drive.WriteTasks(tasks, doc); err != nil {
		return fmt.Errorf("writing the tasks: %w", err)
	}
	report := mineReport(doc, tasks)
	if f.out != "" {
		if err := os.WriteFile(f.out, []byte(report), 0o666); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if f.json {
		out, err := json.Marshal(mineSummary(doc, tasks), jsontext.WithIndent("  "), json.Deterministic(true))
		if err != nil {
			return err
		}
		report = string(out) + "\n"
	}
	_, err := env.Stdout.Write([]byte(report))
	return err
}
