package state

import (
	"os"
	"strings"
	"time"

	"checkrein/internal/limits"
)

// keptFor is how long a session's files stay after it was last checked.
const keptFor = 30 * 24 * time.Hour

// Prune removes the files of sessions not checked for 30 days, all but those of
// the session keep. Settings, the error log and the shared list stay. A lock
// file stays as long as its state file: its own time does not change in use.
func (s Store) Prune(keep string, now time.Time) {
	entries, _ := os.ReadDir(s.Dir)
	oldest := now.Add(-keptFor)
	for _, e := range entries {
		name := e.Name()
		if s.stays(name, Stem(keep)) || !old(e, oldest) {
			continue
		}
		if stem, isLock := strings.CutSuffix(name, ".lock"); isLock {
			if info, err := os.Stat(s.path(stem + ".json")); err == nil && !info.ModTime().Before(oldest) {
				continue
			}
		}
		_ = os.Remove(s.path(name))
	}
}

func (s Store) stays(name, keep string) bool {
	if name == limits.Name || name == errorLog || ours(name) || strings.HasPrefix(name, sharedList) || strings.HasPrefix(name, keep+".") {
		return true
	}
	return !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".lock") && !strings.HasSuffix(name, ".tmp")
}

func old(e os.DirEntry, oldest time.Time) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(oldest)
}
