package seal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"checkrein/internal/proc"
	"checkrein/internal/repo"
)

// room is where a copy's private layers are on disk: beside the copy, whose
// removal takes them along. They can be as large as a build cache, so memory is
// no place for them.
type room struct {
	dir   string // "" for a command without a copy: its layers are in memory
	setup bool   // what this command writes stays for those after it
	given string // what a setup left elsewhere, in place of one here; "" for none
}

// room is the one of a start's copy.
func (s *Seal) room(start proc.Start) room {
	if start.Dir == "/" {
		return room{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms[start.Dir] == "" {
		s.rooms[start.Dir] = repo.BesideCopy(start.Dir)
	}
	if start.Kind == proc.Setup {
		delete(s.given, start.Dir)
	}
	return room{s.rooms[start.Dir], start.Kind == proc.Setup, s.given[start.Dir]}
}

// clear takes away what an earlier command left: of an agent and of tests
// everything, and of a setup when there is a new one.
func (r room) clear() error {
	switch {
	case r.dir == "":
		return nil
	case r.setup:
		return removeAll(r.dir)
	}
	return removeAll(filepath.Join(r.dir, "run"))
}

// upper is the folder for what the command writes at a place.
func (r room) upper(at string) string {
	stage := "run"
	if r.setup {
		stage = "setup"
	}
	return filepath.Join(r.dir, stage, name(at))
}

// earlier is what the setup wrote at a place; "" when that is nothing.
func (r room) earlier(at string) string {
	dir := filepath.Join(r.dir, "setup", name(at), "new")
	if r.given != "" {
		dir = filepath.Join(r.given, name(at), "new")
	}
	if r.dir == "" || r.setup {
		return ""
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		return ""
	}
	return dir
}

// name is one that any path can have.
func name(at string) string {
	sum := sha256.Sum256([]byte(at))
	return hex.EncodeToString(sum[:8])
}

// removeAll removes folders that were made unreadable, too: overlayfs makes one.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) // what can't be changed shows below
		}
		return nil
	})
	return errors.Join(err, os.RemoveAll(dir))
}
