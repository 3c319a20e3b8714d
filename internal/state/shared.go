package state

import (
	"bytes"
	"os"

	"checkrein/internal/guard"
)

const (
	sharedList = "counted-ids.bin"
	entrySize  = 2 * len(guard.ID{}) // a response, then the session that counted it
	maxShared  = 32768               // entries; the file may grow to twice that before it is cut
)

// Shared is the list of responses that any session counted, as it was when it
// was read.
type Shared struct{ owners map[guard.ID]guard.ID }

// Owner is the session that counted a response.
func (s Shared) Owner(response guard.ID) (guard.ID, bool) {
	owner, ok := s.owners[response]
	return owner, ok
}

// ReadShared reads the list. One that can't be read is empty.
func (s Store) ReadShared() Shared {
	data := readPlain(s.path(sharedList))
	owners := make(map[guard.ID]guard.ID, len(data)/entrySize)
	for ; len(data) >= entrySize; data = data[entrySize:] {
		owners[guard.ID(data[:8])] = guard.ID(data[8:entrySize])
	}
	return Shared{owners}
}

// readPlain is a file's content; nil when it can't be read or is no plain file,
// which may never end.
func readPlain(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxStateBytes {
		return nil
	}
	data, _ := os.ReadFile(path)
	return data
}

// Share adds the responses that a session counted to the list, under its own
// lock. Half an entry that a crash left at the end is cut off first.
func (s Store) Share(session string, responses []guard.ID) error {
	l, err := lock(s.path(sharedList+".lock"), lockWait)
	if err != nil {
		return err
	}
	defer l.Release()
	f, err := os.OpenFile(s.path(sharedList), os.O_CREATE|os.O_RDWR|plainFile, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size() - info.Size()%int64(entrySize)
	if _, err := f.WriteAt(entries(session, responses), size); err != nil {
		return err
	}
	size += int64(len(responses) * entrySize)
	if size <= 2*maxShared*int64(entrySize) {
		return f.Truncate(size)
	}
	return s.cut(f, size)
}

func entries(session string, responses []guard.ID) []byte {
	owner := guard.NewID(session)
	var b bytes.Buffer
	for _, id := range responses {
		b.Write(id[:])
		b.Write(owner[:])
	}
	return b.Bytes()
}

// cut keeps the latest entries.
func (s Store) cut(f *os.File, size int64) error {
	kept := make([]byte, maxShared*entrySize)
	if _, err := f.ReadAt(kept, size-int64(len(kept))); err != nil {
		return err
	}
	return replace(s.path(sharedList), kept)
}
