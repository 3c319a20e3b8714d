package pack

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
)

// index is a version 2 index: where each object of a pack starts.
type index struct {
	fanout  []byte // 256 counts: ids whose first byte is at most the place
	ids     []byte // sorted
	offsets []byte // 4 bytes each; the top bit says that it is a place in large
	large   []byte // 8 bytes each
	hash    []byte // the pack's own hash, which the pack ends with
	count   int
	fine    *fineFanout
}

// Sizes of the parts of an index.
const (
	indexHead = 8
	fanSize   = 256 * 4
	perObject = idSize + 4 + 4
)

func parseIndex(data []byte) (x index, err error) {
	x.fine = &fineFanout{}
	if len(data) < indexHead+fanSize+2*idSize || string(data[:4]) != "\xfftOc" || binary.BigEndian.Uint32(data[4:]) != 2 {
		return x, fmt.Errorf("%w: no index of version 2", ErrUnsupported)
	}
	x.fanout = data[indexHead : indexHead+fanSize]
	last := uint32(0)
	for i := range 256 {
		n := x.upTo(i)
		if n < last {
			return x, fmt.Errorf("%w: the counts of an index go down", ErrDamaged)
		}
		last = n
	}
	rest := data[indexHead+fanSize : len(data)-2*idSize]
	n := uint64(last)
	large := uint64(len(rest)) - n*perObject
	if uint64(len(rest)) < n*perObject || large%8 != 0 || large > n*8 {
		return x, fmt.Errorf("%w: an index of %d bytes for %d objects", ErrDamaged, len(data), n)
	}
	x.count = int(n)
	x.ids, rest = rest[:idSize*x.count], rest[(idSize+4)*x.count:] // checksums lie between
	x.offsets, x.large = rest[:4*x.count], rest[4*x.count:]
	x.hash = data[len(data)-2*idSize : len(data)-idSize]
	return x, nil
}

func (x *index) upTo(first int) uint32 { return binary.BigEndian.Uint32(x.fanout[4*first:]) }

// find is where an object starts in the pack.
func (x *index) find(id *ID) (off int64, ok bool, err error) {
	low, high := x.near(id)
	for low < high {
		mid := int(uint(low+high) >> 1)
		switch c := compare(x.id(mid), id); {
		case c == 0:
			off, err = x.offset(mid)
			return off, err == nil, err
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false, nil
}

// compare compares ids, of which the first 8 bytes nearly always decide.
func compare(a []byte, b *ID) int {
	if c := cmp.Compare(binary.BigEndian.Uint64(a), binary.BigEndian.Uint64(b[:])); c != 0 {
		return c
	}
	return bytes.Compare(a, b[:])
}

func (x *index) id(i int) []byte { return x.ids[i*idSize : (i+1)*idSize] }

// near is a part of the index that an id lies in if anywhere.
func (x *index) near(id *ID) (low, high int) {
	if fine := x.fine.table.Load(); fine != nil {
		return fine.near(id)
	}
	if id[0] > 0 {
		low = int(x.upTo(int(id[0]) - 1))
	}
	return low, int(x.upTo(int(id[0])))
}

func (x *index) offset(i int) (int64, error) {
	const elsewhere = 1 << 31
	off := binary.BigEndian.Uint32(x.offsets[4*i:])
	if off&elsewhere == 0 {
		return int64(off), nil
	}
	at := int(off &^ elsewhere)
	if at >= len(x.large)/8 {
		return 0, fmt.Errorf("%w: an offset that its index lacks", ErrDamaged)
	}
	far := binary.BigEndian.Uint64(x.large[8*at:])
	if far > 1<<62 {
		return 0, fmt.Errorf("%w: an offset beyond every file", ErrDamaged)
	}
	return int64(far), nil
}
