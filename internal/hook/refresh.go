package hook

import (
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/state"
)

// Refresh brings a session's counts up to date with its transcripts, the newest
// response included, for somebody who looks. Nothing is saved: the next hook call
// reads the same again.
func Refresh(store state.Store, s *guard.Session, now time.Time) {
	c := &check{
		Adapter: adapter(s.Harness, harness.Input{}), store: store, now: now, s: s,
		// The end of a session is when all that its files hold counts.
		call: harness.Call{Event: harness.SessionEnd, Session: s.ID, Transcript: mainFile(s), Prompt: "unchanged"},
	}
	c.count().Close()
}

// mainFile is the session's own transcript: harnesses put the session's id into
// its name.
func mainFile(s *guard.Session) string {
	for path := range s.Files {
		if strings.Contains(filepath.Base(path), s.ID) {
			return path
		}
	}
	return ""
}
