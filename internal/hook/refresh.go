package hook

import (
	"path/filepath"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/state"
)

// Refresh brings a session's counts up to date with its transcripts, for somebody
// who looks. Nothing is saved: the next hook call reads the same again. whole
// counts the newest response too, which may still be coming.
func Refresh(store state.Store, s *guard.Session, whole bool, now time.Time) {
	c := &check{
		Adapter: adapter(s.Harness, harness.Input{}), store: store, now: now, s: s,
		call: harness.Call{Session: s.ID, Transcript: mainFile(s), Prompt: "unchanged"},
	}
	if whole {
		c.call.Event = harness.SessionEnd // when all that the files hold counts
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
