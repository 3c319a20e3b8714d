package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/fair"
	"checkrein/internal/grade"
	"checkrein/internal/proc"
	"checkrein/internal/repo"
)

// RunGraded runs a plan in a copy and reads what it reports of each test. The
// report goes to a new folder beside the copy, so none of an earlier run can be
// taken for this one's. Everything but line and folder is taken from c.
func RunGraded(ctx context.Context, plan grade.Plan, dir string, c proc.Command) (grade.Run, proc.Result, error) {
	return runGraded(ctx, plan, dir, c, nil)
}

// runGraded is RunGraded. What the run printed and reported goes to hear, where
// somebody wants to hear it.
func runGraded(ctx context.Context, plan grade.Plan, dir string, c proc.Command, hear func(text string)) (grade.Run, proc.Result, error) {
	place := repo.BesideCopy(dir)
	if err := os.Mkdir(place, 0o700); err != nil {
		return grade.Run{}, proc.Result{}, fmt.Errorf("making a folder for the test report: %w", err)
	}
	defer os.RemoveAll(place)
	if err := os.WriteFile(filepath.Join(place, grade.PreloadName), grade.PreloadText, 0o600); err != nil {
		return grade.Run{}, proc.Result{}, fmt.Errorf("writing what asks runners for a report: %w", err)
	}
	const report, output = "report", "output"
	line, env := plan.Filled(filepath.Join(place, report))
	if (plan.Stdout || hear != nil) && c.Stdout == "" {
		c.Stdout = filepath.Join(place, output)
	}
	c.Env, c.Needs = append(env, c.Env...), append(c.Needs, place)
	if err := dropReports(dir, plan); err != nil {
		return grade.Run{}, proc.Result{}, fmt.Errorf("deleting old test reports: %w", err)
	}
	seen := noteDir(&c)
	res, err := RunTests(ctx, line, dir, c)
	run := grade.Run{Exit: res.Exit, TimedOut: res.TimedOut}
	roots := rootsOf(dir, *seen)
	if plan.Globs != "" {
		run.Results = readReports(dir, plan, roots)
	}
	if !plan.Stdout || len(plan.Env) > 0 {
		run.Merge(readPlaced(place, report, plan.Format, roots))
	}
	if plan.Stdout && run.None() {
		run.Results = readReport(filepath.Dir(c.Stdout), filepath.Base(c.Stdout), plan.Format, roots)
	}
	if hear != nil {
		hearAll(dir, plan, []string{c.Stdout, filepath.Join(place, report)}, hear)
	}
	return run, res, err
}

// hearAll hands over what a run has written.
func hearAll(dir string, plan grade.Plan, files []string, hear func(text string)) {
	for _, path := range files {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			hear(beginning(path))
		}
	}
	if plan.Globs == "" {
		return
	}
	_ = reports(dir, plan, func(root *os.Root, name string) error { // what can't be read says nothing
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() <= fair.MaxOutput {
			text, _ := root.ReadFile(name)
			hear(string(text))
		}
		return nil
	})
}

// noteDir notes where a command sees its copy: behind a wall that is another place,
// and names with it would be others without the wall.
func noteDir(c *proc.Command) (dir *string) {
	dir = new(string)
	if launch := c.Launch; launch != nil {
		c.Launch = func(s proc.Start) (proc.Start, error) {
			s, err := launch(s)
			*dir = s.Dir
			return s, err
		}
	}
	return dir
}

// rootsOf are the spellings of a copy's folder that names may hold. The command
// saw it at seen.
func rootsOf(dir, seen string) []string {
	roots := []string{dir}
	if seen != "" && seen != dir {
		roots = append(roots, seen)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		roots = append(roots, real)
	}
	return roots
}

// readPlaced reads the reports in the place for them: the one that was asked for,
// and those of other runners, whose names begin with its name. A test's name
// begins with its runner there, so that two runners' tests are never one.
func readPlaced(place, report string, format grade.Format, roots []string) (all grade.Results) {
	root, err := os.OpenRoot(place)
	if err != nil {
		return all
	}
	defer root.Close()
	_ = walkReports(root, func(name string) bool { return strings.HasPrefix(name, report) }, func(root *os.Root, name string) error {
		top, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		teller := grade.Teller(strings.TrimPrefix(top, report))
		if teller == "" {
			all.Merge(readIn(root, name, format, roots))
		} else {
			all.Merge(readIn(root, name, grade.Auto, roots).Of(teller))
		}
		return nil
	})
	return all
}

// readReport reads one report. What is no plain file of its own in the folder is
// nothing that we asked for.
func readReport(dir, name string, format grade.Format, roots []string) grade.Results {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return grade.Results{}
	}
	defer root.Close()
	return readIn(root, name, format, roots)
}

func readIn(root *os.Root, name string, format grade.Format, roots []string) grade.Results {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return grade.Results{}
	}
	f, err := root.Open(name)
	if err != nil {
		return grade.Results{}
	}
	defer f.Close()
	return grade.ParseFile(filepath.ToSlash(name), format, io.Reader(f), roots...)
}

// reports calls do with every file in the copy that the plan's pattern names.
func reports(dir string, plan grade.Plan, do func(root *os.Root, name string) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return walkReports(root, func(name string) bool { return grade.Match(plan.Globs, name) }, do)
}

// walkReports calls do with the files below a folder that are reports.
func walkReports(root *os.Root, is func(name string) bool, do func(root *os.Root, name string) error) error {
	const most = 5000
	n := 0
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)):
			return nil
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !is(name) || n >= most:
			return nil
		}
		n++
		return do(root, name)
	})
}

func readReports(dir string, plan grade.Plan, roots []string) (all grade.Results) {
	_ = reports(dir, plan, func(root *os.Root, name string) error { // what can't be read is missing
		all.Merge(readIn(root, name, grade.Auto, roots))
		return nil
	})
	return all
}
