package drive

import (
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newRun names a run. The name is also the mark of all its processes and the
// end of its folder's name.
func newRun() string { return strings.ToLower(rand.Text()[:16]) }

// copyPrefix starts the name of every folder that a run works in.
const copyPrefix = "harness-test-drive-"

func copyRoot(run string) string { return filepath.Join(os.TempDir(), copyPrefix+run) }

// removeAll removes a run's folder, read-only folders in it included. It
// follows no link.
func removeAll(root string) error {
	if err := os.RemoveAll(root); err == nil {
		return nil
	}
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(root)
}
