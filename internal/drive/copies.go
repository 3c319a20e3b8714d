package drive

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// newRun names a run. The name is also the mark of all its processes and the
// end of its folder's name.
func newRun() string { return strings.ToLower(rand.Text()[:16]) }

// copyPrefix starts the name of every folder that a run works in.
const copyPrefix = "harness-test-drive-"

func copyRoot(run string) string { return filepath.Join(os.TempDir(), copyPrefix+run) }

// warnOfLeft says what could not be removed. It is no reason to stop: a run may
// have started a service that writes files of another user into its copy.
func (d *drive) warnOfLeft(root string, err error) {
	if err != nil {
		d.emit(trial.Event{Kind: trial.Warned, Text: fmt.Sprintf(
			"the copy in %s could not be removed, so remove it yourself: %s.", redact.Code(root, 300), redact.Line(err.Error(), 300))})
	}
}

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
