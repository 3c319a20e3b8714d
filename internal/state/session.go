package state

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/guard"
	"checkrein/internal/limits"
)

// ErrNewer says that a later release wrote the file; it is left as it is.
var ErrNewer = errors.New("the state file was written by a newer checkrein")

// maxStateBytes is far above any state file that the bounds of a session allow.
const maxStateBytes = 64 << 20

// Pauses between tries to take a lock. Most locks are held for less than the
// first few of them: a payment takes a tenth of a millisecond.
const (
	firstPause   = 100 * time.Microsecond
	longestPause = 5 * time.Millisecond
)

// LockSession takes a session's lock, for up to 2 seconds; [ErrBusy] after that.
func (s Store) LockSession(id string) (*Lock, error) {
	return lock(s.path(Stem(id)+".lock"), lockWait)
}

// Load reads a session's state; nil when there is none or it can't be used
// (another version, cut short, not ours), which existed tells apart. The caller
// holds the session's lock.
func (s Store) Load(id string) (session *guard.Session, existed bool, err error) {
	session, err = load(s.SessionFile(id))
	switch {
	case errors.Is(err, ErrNewer):
		return nil, true, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, true, nil
	}
	session.ID = id // whatever the file says: it must be saved under the lock that is held
	return session, true, nil
}

func load(path string) (*guard.Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxStateBytes {
		return nil, fmt.Errorf("%s is not a state file", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// lenient accepts what other programs may write: JSON of Python's kind.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// Parse reads a state file's bytes.
func Parse(data []byte) (*guard.Session, error) {
	session := new(guard.Session)
	err := session.ReadJSON(data)
	if session.Version > guard.Version || err != nil && version(data) > guard.Version {
		return nil, ErrNewer
	}
	if err != nil {
		return nil, fmt.Errorf("reading a state file: %w", err)
	}
	if session.Version != guard.Version {
		return nil, fmt.Errorf("state file of version %d", session.Version)
	}
	session.Mend()
	return session, nil
}

// version reads no more than the version, of a file whose other keys may mean
// something else.
func version(data []byte) int {
	var v struct {
		Version int `json:"version"`
	}
	_ = json.Unmarshal(data, &v, lenient())
	return v.Version
}

// Save replaces a session's state file. The caller holds the session's lock.
func (s Store) Save(session *guard.Session) error {
	data, err := encode(session)
	if err != nil {
		return err
	}
	return replace(s.SessionFile(session.ID), data)
}

// encode is a state file's bytes.
func encode(session *guard.Session) ([]byte, error) {
	const others = 8 << 10 // bytes of what is not ids of responses, in most sessions
	data, err := session.AppendJSON(make([]byte, 0, len(session.Counted)+others))
	if err != nil {
		return nil, fmt.Errorf("writing a state file: %w", err)
	}
	return data, nil
}

// Saved is a session's state and the file it came from.
type Saved struct {
	Path    string
	Session *guard.Session
}

// Sessions lists every session that can be read, the one checked last first.
func (s Store) Sessions() []Saved {
	entries, _ := os.ReadDir(s.Dir)
	var found []Saved
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") || e.Name() == limits.Name || ours(e.Name()) {
			continue
		}
		if session, err := load(s.path(e.Name())); err == nil {
			found = append(found, Saved{s.path(e.Name()), session})
		}
	}
	slices.SortStableFunc(found, func(a, b Saved) int {
		if order := cmp.Compare(b.Session.Updated, a.Session.Updated); order != 0 {
			return order
		}
		return cmp.Compare(modified(b.Path), modified(a.Path))
	})
	return found
}

func modified(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}
