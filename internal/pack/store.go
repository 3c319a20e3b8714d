// Package pack reads the objects of a git repository: packs with their indexes,
// deltas, loose objects, trees.
//
// It promises that files are only read; that whatever they hold, reading ends in
// an object or an error, never in a panic, and takes memory in proportion to the
// limit that the caller gives; and that what it returns is what git would. It
// knows less than git: SHA-1 ids and version 2 indexes only, no alternates, no
// replaced objects. The caller asks git where this package returns an error.
//
// The formats are described in git's own pages gitformat-pack and
// gitformat-index, and in "Git Objects" of the Git book.
package pack

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// Errors that callers tell apart.
var (
	ErrMissing     = errors.New("no such object here")
	ErrTooLarge    = errors.New("the object, or one it is a delta of, is above the limit")
	ErrUnsupported = errors.New("git has to read this repository itself")
	ErrDamaged     = errors.New("a damaged object or pack")
)

// mostPacks is far above what git leaves before it packs anew (50).
const mostPacks = 512

// idSize is the length of a SHA-1.
const idSize = 20

// ID names an object.
type ID [idSize]byte

// ParseID reads an id as git prints it.
func ParseID(text string) (id ID, ok bool) {
	if len(text) != 2*idSize {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(text))
	return id, err == nil
}

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Store is an object folder, open for reading. It is safe for concurrent use;
// each goroutine takes a Reader of its own.
type Store struct {
	dir    string
	packs  []*packFile
	recent atomic.Int32 // the pack that held the last object found
	cache  cache
}

// Open opens an object folder. It keeps at most about hold bytes of the objects
// that were read. The error is ErrUnsupported for a folder that borrows from
// another.
func Open(dir string, hold int) (*Store, error) {
	if info, err := os.Stat(filepath.Join(dir, "info", "alternates")); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%w: it borrows objects from another", ErrUnsupported)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s := &Store{dir: dir, cache: cache{most: int64(hold)}}
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			if err := s.add(filepath.Join(dir, "pack", stem)); err != nil {
				return nil, errors.Join(err, s.Close())
			}
		}
	}
	return s, nil
}

// add opens a pack. One without its other half is no pack to git either: another
// git may be removing it.
func (s *Store) add(stem string) error {
	p, err := openPack(stem)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(s.packs) == mostPacks:
		return errors.Join(fmt.Errorf("%w: more than %d packs", ErrUnsupported, mostPacks), p.close())
	}
	p.number = len(s.packs)
	s.packs = append(s.packs, p)
	return nil
}

// Close lets go of the files. What was returned stays valid.
func (s *Store) Close() error {
	var errs []error
	for _, p := range s.packs {
		errs = append(errs, p.close())
	}
	s.packs = nil
	return errors.Join(errs...)
}

// findOften is find for a reader that has looked up so many objects before.
func (s *Store) findOften(id *ID, before int) (p *packFile, off int64, err error) {
	if p, off, err = s.find(id); err == nil && before > p.index.count/worthAFanout {
		p.index.refine()
	}
	return p, off, err
}

// find tells which pack holds an object, and where.
func (s *Store) find(id *ID) (p *packFile, off int64, err error) {
	recent := int(s.recent.Load())
	for i := range s.packs {
		at := (recent + i) % len(s.packs)
		off, ok, err := s.packs[at].index.find(id)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			if i > 0 {
				s.recent.Store(int32(at))
			}
			return s.packs[at], off, nil
		}
	}
	return nil, 0, ErrMissing
}
