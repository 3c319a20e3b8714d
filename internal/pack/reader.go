package pack

import (
	"fmt"
	"runtime/debug"
)

// Reader reads objects. It is for one goroutine.
type Reader struct {
	store *Store
	flate inflater
	chain []link
	delta []byte
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

// Read returns an object of at most limit bytes. It must not be changed.
func (r *Reader) Read(id ID, limit int) (kind Kind, data []byte, err error) {
	// A file that is cut while it is mapped, or a disk that fails, is a fault.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, fault)
		}
	}()
	p, off, err := r.store.find(&id)
	if err == ErrMissing {
		return r.loose(id, limit)
	}
	if err != nil {
		return 0, nil, err
	}
	o, err := r.at(p, off, limit)
	return o.kind, o.data, err
}

// at reads the object at an offset: down the chain of differences to one that is
// known or whole, and up again.
func (r *Reader) at(p *packFile, off int64, limit int) (o object, err error) {
	r.chain = r.chain[:0]
	for known := false; !known; {
		at := place{p.number, off}
		if o, known = r.store.cache.get(at); known {
			break
		}
		e, err := p.entry(off)
		switch {
		case err != nil:
			return o, err
		case e.size > uint64(limit):
			return o, ErrTooLarge
		case len(r.chain) == longestChain:
			return o, fmt.Errorf("%w: a chain of differences without an end", ErrDamaged)
		case e.kind < offsetDelta:
			if o, err = r.whole(e); err != nil {
				return o, err
			}
			r.store.cache.put(at, o)
			known = true
		}
		if !known {
			r.chain = append(r.chain, link{at, e})
			off = e.base
		}
	}
	return r.up(o, limit)
}

func (r *Reader) whole(e entry) (object, error) {
	data := make([]byte, e.size)
	return object{e.kind, data}, r.flate.inflate(data, e.body)
}

// up applies the chain to its base, the last difference first.
func (r *Reader) up(o object, limit int) (object, error) {
	for i := len(r.chain) - 1; i >= 0; i-- {
		l := r.chain[i]
		data, err := r.apply(o.data, l.e, limit)
		if err != nil {
			return o, err
		}
		o.data = data
		r.store.cache.put(l.at, o)
	}
	if len(o.data) > limit {
		return o, ErrTooLarge
	}
	return o, nil
}

func (r *Reader) apply(base []byte, e entry, limit int) ([]byte, error) {
	if uint64(cap(r.delta)) < e.size {
		r.delta = make([]byte, e.size+e.size/2)
	}
	delta := r.delta[:e.size]
	if err := r.flate.inflate(delta, e.body); err != nil {
		return nil, err
	}
	from, size, ops, err := deltaSizes(delta)
	switch {
	case err != nil:
		return nil, err
	case from != uint64(len(base)):
		return nil, fmt.Errorf("%w: a difference from another object", ErrDamaged)
	case size > uint64(limit):
		return nil, ErrTooLarge
	}
	return patch(make([]byte, 0, size), base, ops)
}
