package task

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"

	"checkrein/internal/grade"
)

// dropReports deletes what an earlier run reported in the copy.
func dropReports(dir string, plan grade.Plan) error {
	if plan.Globs == "" {
		return nil
	}
	return reports(dir, plan, func(root *os.Root, name string) error {
		if folder, logs := path.Split(path.Dir(name)); logs == "meson-logs" {
			if err := dropGoogleTest(root, path.Clean(folder)); err != nil {
				return err
			}
		}
		return root.Remove(name)
	})
}

// dropGoogleTest deletes the reports that Meson has GoogleTest write into the build
// folder. After a crash it takes an older one for that of its run.
func dropGoogleTest(root *os.Root, build string) error {
	names, err := fs.Glob(root.FS(), path.Join(build, "*.xml"))
	for _, name := range names {
		info, bad := root.Lstat(name)
		if bad != nil || !info.Mode().IsRegular() || info.Size() > grade.MaxBytes {
			continue
		}
		if text, _ := root.ReadFile(name); bytes.Contains(text[:min(len(text), 1000)], []byte(` name="AllTests"`)) {
			err = errors.Join(err, root.Remove(name))
		}
	}
	return err
}
