package state

import (
	"os"
	"path/filepath"
)

// ProjectRoot is the project that a folder belongs to: the nearest folder above
// it, or itself, with a .git in it, which is a file in a worktree; else the
// folder itself. Links are resolved, so that a project has one name. "" stays "".
func ProjectRoot(dir string) string {
	if dir == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
