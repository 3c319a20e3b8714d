// Package state keeps one file per session in the state folder, under that
// session's lock, beside the list of responses that any session has counted,
// the error log and the records of installs.
//
// A state file is replaced in one step, so a crash at any instant leaves the
// old or the new one. It is not synced to disk: after a power cut a session is
// counted again from its transcripts. Locks are never taken over: the kernel
// drops a dead process's lock by itself.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/user"
	"path/filepath"
)

// folder is the name the Python guard used; its settings and counts go on.
const folder = "runaway-guard"

// Store is the state folder.
type Store struct{ Dir string }

// Open names the state folder, ${XDG_STATE_HOME:-~/.local/state}/runaway-guard.
// It makes nothing.
func Open(getenv func(string) string) Store {
	base := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(Home(getenv), ".local", "state")
	}
	return Store{Dir: filepath.Join(base, folder)}
}

// Home is the user's home folder, also where HOME is not set.
func Home(getenv func(string) string) string {
	if home := getenv("HOME"); home != "" {
		return home
	}
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		return home
	}
	if u, err := user.Current(); err == nil {
		return u.HomeDir
	}
	return string(filepath.Separator)
}

// Installed is when the guard's hook was installed first, as the records of
// installs tell, in seconds since 1970; 0 when there are none.
func (s Store) Installed() (seconds int64) {
	entries, _ := os.ReadDir(s.path("installs"))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && (seconds == 0 || info.ModTime().Unix() < seconds) {
			seconds = info.ModTime().Unix()
		}
	}
	return seconds
}

// Make makes the folder, readable by its owner only.
func (s Store) Make() error { return os.MkdirAll(s.Dir, 0o700) }

func (s Store) path(name string) string { return filepath.Join(s.Dir, name) }

// SessionFile is the path of a session's state file.
func (s Store) SessionFile(id string) string { return s.path(Stem(id) + ".json") }

// Stem is a file name for a session id: the id itself where it is a plain name,
// else a hash, so that no id names a file outside the folder or one that is not
// a session's (the settings, the shared list's lock).
func Stem(id string) string {
	if plain(id) && id != folder && id != sharedList && !ours(id+".json") {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "s-" + hex.EncodeToString(sum[:])[:32]
}

func plain(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}
