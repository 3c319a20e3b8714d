package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Kind is what an object is, by the number that packs use.
type Kind byte

// Kinds of objects.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4
)

// Kinds of entries that are differences from another object.
const (
	offsetDelta Kind = 6 // the base lies in front of it
	idDelta     Kind = 7 // the base is named
)

// packFile is a pack and its index.
type packFile struct {
	number int
	index  index
	data   []byte // the pack without the hash at its end
	files  [2]mapping
}

// packHead is the length of "PACK", the version and the count.
const packHead = 12

// openPack opens <stem>.idx and <stem>.pack, and checks what git checks when it
// does: that the two belong together.
func openPack(stem string) (p *packFile, err error) {
	p = &packFile{}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	for i, name := range []string{".idx", ".pack"} {
		if p.files[i], err = mapFile(stem + name); err != nil {
			return nil, err
		}
	}
	return p, p.parse(p.files[0].data, p.files[1].data)
}

func (p *packFile) parse(index, data []byte) (err error) {
	if p.index, err = parseIndex(index); err != nil {
		return err
	}
	if len(data) < packHead+idSize || string(data[:4]) != "PACK" {
		return fmt.Errorf("%w: no pack", ErrDamaged)
	}
	if v := binary.BigEndian.Uint32(data[4:]); v != 2 && v != 3 {
		return fmt.Errorf("%w: a pack of version %d", ErrUnsupported, v)
	}
	p.data = data[:len(data)-idSize]
	if int64(binary.BigEndian.Uint32(data[8:])) != int64(p.index.count) || !bytes.Equal(data[len(p.data):], p.index.hash) {
		return fmt.Errorf("%w: a pack and an index that don't belong together", ErrDamaged)
	}
	return nil
}

func (p *packFile) close() error {
	p.data = nil
	return errors.Join(p.files[0].close(), p.files[1].close())
}

// entry is the head of an object in a pack.
type entry struct {
	kind Kind
	size uint64 // of the object, or of the difference
	base int64  // where the base of a difference starts
	body []byte // a zlib stream and all that follows it
}

// entry reads the head at off.
func (p *packFile) entry(off int64) (e entry, err error) {
	if off < packHead || off >= int64(len(p.data)) {
		return e, fmt.Errorf("%w: an offset outside its pack", ErrDamaged)
	}
	at := p.data[off:]
	e.kind = Kind(at[0] >> 4 & 7)
	size, n := varint(at[1:], uint64(at[0]&15), 4, at[0])
	if n < 0 {
		return e, fmt.Errorf("%w: the size of an object", ErrDamaged)
	}
	e.size, e.body = size, at[1+n:]
	switch e.kind {
	case Commit, Tree, Blob, Tag:
		return e, nil
	case offsetDelta:
		return p.relative(e, off)
	case idDelta:
		return p.named(e)
	}
	return e, fmt.Errorf("%w: an object of kind %d", ErrDamaged, e.kind)
}

// relative reads how far in front the base lies. Each further byte adds one, so
// that no distance has two spellings.
func (p *packFile) relative(e entry, off int64) (entry, error) {
	back := int64(0)
	for i, b := range e.body {
		if back = back<<7 | int64(b&127); b&128 == 0 {
			e.base, e.body = off-back, e.body[i+1:]
			if back == 0 || e.base < packHead {
				break
			}
			return e, nil
		}
		if back++; back >= 1<<55 {
			break
		}
	}
	return e, fmt.Errorf("%w: a base outside its pack", ErrDamaged)
}

func (p *packFile) named(e entry) (entry, error) {
	if len(e.body) < idSize {
		return e, fmt.Errorf("%w: a pack that ends in an object", ErrDamaged)
	}
	base, ok, err := p.index.find((*ID)(e.body))
	if !ok && err == nil { // only packs on their way over a network may lack a base
		err = fmt.Errorf("%w: a base outside its pack", ErrDamaged)
	}
	e.base, e.body = base, e.body[idSize:]
	return e, err
}

// varint goes on reading a size whose first byte gave value, of shift bits: seven
// bits a byte, lowest first. It returns how many bytes it read, -1 for a size
// beyond reason.
func varint(data []byte, value uint64, shift uint, first byte) (uint64, int) {
	more, n := first&128 != 0, 0
	for more {
		if n >= len(data) || shift > 56 {
			return 0, -1
		}
		value |= uint64(data[n]&127) << shift
		more = data[n]&128 != 0
		shift += 7
		n++
	}
	return value, n
}
