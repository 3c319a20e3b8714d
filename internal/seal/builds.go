package seal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// keepBuilds adds what the command left in the build cache to the kept one, where
// it was the repository's own. Its files are named by their content, so one that is
// there already is the same. One that can't be kept is made again.
func (v *view) keepBuilds() {
	for _, path := range v.buildPaths() {
		if builds := v.builds(path); v.Trusted && builds != "" && v.room.dir != "" {
			_ = merge(filepath.Join(v.room.upper(path), "new"), builds)
		}
	}
}

// buildPaths are where Go's build cache may be.
func (v *view) buildPaths() []string {
	return []string{filepath.Join(v.home, ".cache/go-build"), value(v.start.Env, "GOCACHE")}
}

// merge adds the files of one folder to another. A half-written one never gets its
// name there.
func merge(from, to string) error {
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return addFile(path, filepath.Join(to, rel))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing ran yet
	}
	return err
}

func addFile(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from) // on another disk
	if err != nil {
		return err
	}
	part := to + ".part-" + name(from)
	if err := os.WriteFile(part, text, 0o600); err != nil {
		return err
	}
	return os.Rename(part, to)
}
