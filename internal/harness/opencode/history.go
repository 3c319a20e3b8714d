// Package opencode knows where OpenCode keeps its sessions, and reads them from
// its database, which it never writes to: a live session may be using it.
package opencode

import (
	"os"
	"path/filepath"
	"strings"

	"checkrein/internal/harness"
)

// Archive is where OpenCode keeps its sessions.
func Archive() harness.Archive {
	return harness.Archive{Name: harness.OpenCode, Places: Places, Logs: Logs, Query: Query}
}

// Places is the folder of databases, or the one database that a variable names.
func Places(getenv func(string) string, home string) []string {
	if path := getenv("OPENCODE_DB"); path != "" {
		return []string{path}
	}
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		data = filepath.Join(home, ".local", "share")
	}
	return []string{filepath.Join(data, "opencode")}
}

// Logs lists the databases: opencode.db, and opencode-<channel>.db of builds that
// are no release.
func Logs(place string) (logs []harness.Log) {
	if info, err := os.Stat(place); err == nil && info.Mode().IsRegular() {
		return []harness.Log{{Path: place}}
	}
	entries, _ := os.ReadDir(place)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "opencode") && strings.HasSuffix(e.Name(), ".db") {
			logs = append(logs, harness.Log{Path: filepath.Join(place, e.Name())})
		}
	}
	return logs
}
