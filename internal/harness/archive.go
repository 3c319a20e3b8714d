package harness

import "bytes"

// Names of harnesses that have sessions to read, but neither a guard nor a test
// drive of ours.
const (
	OpenCode = "opencode"
	Pi       = "pi"
)

// Log is one agent's part of one session: what a transcript holds.
type Log struct {
	Path    string
	Session string
	Project string // working folder; "" when nothing tells
	Agent   string // the subagent's id; "" is the main agent
}

// Archive is where one harness keeps all its sessions and how they are read:
// values and functions of its folder, like Adapter.
type Archive struct {
	Name string
	// Places are the folders, or databases, in which sessions may lie, there or
	// not. home is the user's home folder.
	Places func(getenv func(string) string, home string) []string
	// Logs lists the transcripts of a place with what their paths tell. Of a
	// database it is the one file.
	Logs func(place string) []Log

	// Head takes one of a transcript's first lines and notes what it tells of the
	// log; done when no other line can tell more.
	Head func(l *Log, line []byte) (done bool)
	// Skim is for readers of what was paid alone: the line, or a shorter one that
	// tells the same of responses, or nil when it tells nothing. again says that
	// this line changed r, and with it how the lines before count: they must be
	// read anew.
	Skim      func(line []byte, r *Resume) (short []byte, again bool)
	NewReader func(emit func(Event), r Resume) Reader
	// Whole tells that a file is one JSON document rather than lines.
	Whole func(path string) bool

	// Query reads a database instead; the functions for transcripts are nil then.
	Query Query
}

// Holding is the Skim of a harness whose lines tell tokens only where they hold a
// word; they are kept whole.
func Holding(word string) func(line []byte, r *Resume) (short []byte, again bool) {
	return func(line []byte, _ *Resume) ([]byte, bool) {
		if bytes.Contains(line, []byte(word)) {
			return line, false
		}
		return nil, false
	}
}

// Query reads the sessions of the database at path that changed since mark, each
// whole and one after another: meet starts a session's log, emit adds a response
// to it. next is the mark for a later call, all the ids of every session that
// is there. A failed call must be thrown away.
type Query func(path string, mark int64, meet func(Log), emit func(Event)) (next int64, all []string, err error)
