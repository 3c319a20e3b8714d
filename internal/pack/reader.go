package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
)

// Reader reads objects. It is for one goroutine.
type Reader struct {
	store *Store
	flate inflater
	chain []link
	delta []byte
	memo  [1 << 12]memo
	finds int // objects looked up

	segment *segment // where the objects go that it makes
	reads   int      // for which the segment was filled so far
	begun   bool     // it may have objects of the cache
}

// memo is where an object is that was looked up a moment ago: what one commit
// changed to, the one before it mostly changed from.
type memo struct {
	id   ID
	pack *packFile
	off  int64
}

// link is a difference on the way to an object that is none.
type link struct {
	at place
	e  entry
}

// longestChain is the longest that git writes, whatever it is told to.
const longestChain = 4095

// Reader returns a new one.
func (s *Store) Reader() *Reader { return &Reader{store: s} }

// Forget says that nothing which Read returned is used any more: its memory may hold
// other objects from now on.
func (r *Reader) Forget() {
	if r.begun {
		r.store.cache.end(r)
		r.begun = false
	}
}

// Read returns an object of at most limit bytes, which is valid until Forget. It must
// not be changed.
func (r *Reader) Read(id ID, limit int) (kind Kind, data []byte, err error) {
	// A file that is cut while it is mapped, or a disk that fails, is a fault.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, fault)
		}
	}()
	if !r.begun {
		r.store.cache.begin(r)
		r.begun = true
	}
	m := &r.memo[int(binary.LittleEndian.Uint16(id[:]))%len(r.memo)]
	if m.pack == nil || m.id != id {
		r.finds++
		p, off, err := r.store.findOften(&id, r.finds)
		if errors.Is(err, ErrMissing) {
			return r.loose(id, limit)
		}
		if err != nil {
			return 0, nil, err
		}
		*m = memo{id, p, off}
	}
	r.reads++
	o, err := r.at(m.pack, m.off, limit)
	if err == nil && len(o.data) > limit {
		err = ErrTooLarge
	}
	if err != nil {
		return 0, nil, err
	}
	return o.kind, o.data, nil
}

// at reads the object at an offset: down the chain of differences to an object
// that is known or whole, and up again.
func (r *Reader) at(p *packFile, off int64, limit int) (o *object, err error) {
	r.chain = r.chain[:0]
	for o == nil {
		at := place{p.number, off}
		if o = r.store.cache.get(at); o != nil {
			break
		}
		e, err := p.entry(off)
		switch {
		case err != nil:
			return nil, err
		case e.size > uint64(limit):
			return nil, ErrTooLarge
		case e.kind < offsetDelta:
			if o, err = r.whole(at, e); err != nil {
				return nil, err
			}
		case len(r.chain) == longestChain:
			return nil, fmt.Errorf("%w: a chain of differences without an end", ErrDamaged)
		default:
			r.chain = append(r.chain, link{at, e})
			off = e.base
		}
	}
	for i := len(r.chain) - 1; i >= 0; i-- {
		if o, err = r.apply(o, r.chain[i], limit); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (r *Reader) whole(at place, e entry) (*object, error) {
	o := r.room(at, e.kind, int(e.size))
	if err := r.flate.inflate(o.data, e.body); err != nil {
		return nil, err
	}
	r.store.cache.put(o)
	return o, nil
}

// apply makes the object of a difference from its base.
func (r *Reader) apply(base *object, l link, limit int) (*object, error) {
	if uint64(cap(r.delta)) < l.e.size {
		r.delta = make([]byte, l.e.size+l.e.size/2)
	}
	delta := r.delta[:l.e.size]
	if err := r.flate.inflate(delta, l.e.body); err != nil {
		return nil, err
	}
	from, size, ops, err := deltaSizes(delta)
	switch {
	case err != nil:
		return nil, err
	case from != uint64(len(base.data)):
		return nil, fmt.Errorf("%w: a difference from another object", ErrDamaged)
	case size > uint64(limit):
		return nil, ErrTooLarge
	}
	o := r.room(l.at, base.kind, int(size))
	if o.data, err = patch(o.data[:0], base.data, ops); err != nil {
		return nil, err
	}
	r.store.cache.put(o)
	return o, nil
}

// room is an object whose data is to be filled in.
func (r *Reader) room(at place, kind Kind, size int) *object {
	if r.segment != nil {
		if o := r.segment.add(at, kind, size); o != nil {
			return o
		}
	}
	r.segment, r.reads = r.store.cache.turnIn(r.segment, r.reads), 0
	return r.segment.add(at, kind, size)
}
