package state

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/limits"
)

// keptFor is how long a session's files stay after it was last checked.
const keptFor = 30 * 24 * time.Hour

// paidFor is how long the file of what a session has paid stays after it last
// paid. It outlives the session's state: a session that goes on later is counted
// anew from its transcripts. After that, the days in it are older than those a
// payer without a file pays; the two days more are for clocks and time zones.
const paidFor = (keptDays + 2) * 24 * time.Hour

// Prune removes the files of sessions not checked for 30 days, all but those of
// the session keep. Settings, the error log, the shared list and the ledger stay.
// A lock file stays as long as its state file: its own time does not change in
// use.
func (s Store) Prune(keep string, now time.Time) {
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		name, oldest := e.Name(), now.Add(-keptFor)
		if strings.HasSuffix(name, paidSuffix) {
			oldest = now.Add(-paidFor)
		}
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
	switch filepath.Ext(name) {
	case ".json", ".lock", ".tmp", paidSuffix:
	default:
		return true
	}
	return name == limits.Name || name == errorLog || ours(name) || strings.HasPrefix(name, sharedList) ||
		name == ledgerFile+".tmp" || strings.HasPrefix(name, keep+".")
}

func old(e os.DirEntry, oldest time.Time) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(oldest)
}
