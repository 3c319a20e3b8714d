package pack

import (
	"encoding/binary"
	"fmt"
	"hash/adler32"
)

// inflater reads zlib streams (RFC 1950 and 1951) from memory to memory. Most
// objects of a pack are differences of some dozen bytes, for which setting up the
// standard library's reader, made for streams of any length, is most of the work.
// It takes what that reader takes, and nothing else (FuzzInflate).
type inflater struct {
	in  []byte
	pos int    // where the bits that acc lacks begin
	acc uint64 // the next bits, the lowest first; those above n are noise or in's own
	n   int    // how many are valid; negative when a code ended beyond the stream
	out []byte // its length is what is there so far, its capacity what there must be

	literals, distances *huffman // of the block
	own                 [2]huffman
	fixed               *[2]huffman // made when first needed
	lengths             huffman
	lens                [maxLiterals + maxDistances]byte
}

// Limits of a block: RFC 1951, 3.2.7. The fixed code has two literals more.
const (
	maxLiterals  = 286
	maxDistances = 30
)

// inflate fills out from the stream that in starts with, which must have exactly
// as many bytes.
func (f *inflater) inflate(out, in []byte) error {
	if len(in) < 2 || in[0]&15 != 8 || in[0]>>4 > 7 || in[1]&32 != 0 || (uint(in[0])<<8|uint(in[1]))%31 != 0 {
		return fmt.Errorf("%w: no zlib stream", ErrDamaged)
	}
	f.in, f.pos, f.acc, f.n, f.out = in, 2, 0, 0, out[:0:len(out)]
	defer func() { f.in, f.out = nil, nil }()
	for last := false; !last; {
		f.refill()
		head := f.take(3)
		last = head&1 != 0
		if f.n < 0 || !f.block(head>>1) {
			return fmt.Errorf("%w: a zlib stream", ErrDamaged)
		}
	}
	f.align()
	sum := in[f.pos:]
	if len(f.out) != len(out) || len(sum) < 4 || binary.BigEndian.Uint32(sum) != adler32.Checksum(out) {
		return fmt.Errorf("%w: a zlib stream of something else", ErrDamaged)
	}
	return nil
}

// refill makes at least 56 bits valid, fewer at the end of the stream.
func (f *inflater) refill() {
	if len(f.in)-f.pos >= 8 {
		f.acc |= binary.LittleEndian.Uint64(f.in[f.pos:]) << uint(f.n)
		f.pos += (63 - f.n) >> 3
		f.n |= 56
		return
	}
	for f.n <= 56 && f.pos < len(f.in) {
		f.acc |= uint64(f.in[f.pos]) << uint(f.n)
		f.pos++
		f.n += 8
	}
}

// take takes bits that refill made valid. Beyond the end of the stream n turns
// negative, which the caller looks at.
func (f *inflater) take(bits int) int {
	v := f.acc & (1<<uint(bits) - 1)
	f.acc >>= uint(bits)
	f.n -= bits
	return int(v)
}

// align goes to the next whole byte.
func (f *inflater) align() {
	f.pos -= f.n >> 3
	f.acc, f.n = 0, 0
}

func (f *inflater) block(kind int) bool {
	switch kind {
	case 0:
		return f.stored()
	case 1:
		f.setFixed()
		return f.compressed()
	case 2:
		return f.readCodes() && f.compressed()
	}
	return false
}

func (f *inflater) stored() bool {
	f.align()
	head := f.in[f.pos:]
	if len(head) < 4 {
		return false
	}
	size, check := int(binary.LittleEndian.Uint16(head)), binary.LittleEndian.Uint16(head[2:])
	if size != int(^check) || size > len(head)-4 || size > cap(f.out)-len(f.out) {
		return false
	}
	f.out = append(f.out, head[4:4+size]...)
	f.pos += 4 + size
	return true
}

// compressed reads literals and copies up to the end of the block. 15 bits of a
// code, 5 of a length, 15 and 13 of a distance are fewer than refill makes valid.
func (f *inflater) compressed() bool {
	const end = 256
	for {
		f.refill()
		symbol := f.literals.next(f)
		if f.n < 0 || symbol < 0 {
			return false
		}
		switch {
		case symbol == end:
			return true
		case symbol > end:
			if !f.copy(symbol - end - 1) {
				return false
			}
		case len(f.out) == cap(f.out):
			return false
		default:
			f.out = append(f.out, byte(symbol))
		}
	}
}

// copy repeats a part of what is there already.
func (f *inflater) copy(symbol int) bool {
	size, ok := f.size(symbol)
	if !ok {
		return false
	}
	symbol = f.distances.next(f)
	if symbol < 0 || symbol >= maxDistances {
		return false
	}
	back := symbol + 1
	if symbol > 3 {
		extra := symbol/2 - 1
		back = (2+symbol&1)<<extra + 1 + f.take(extra)
	}
	if f.n < 0 || back > len(f.out) || size > cap(f.out)-len(f.out) {
		return false
	}
	from := len(f.out) - back
	for size > back { // it repeats what it makes
		f.out = append(f.out, f.out[from:from+back]...)
		size -= back
	}
	f.out = append(f.out, f.out[from:from+size]...)
	return true
}

// size is the length of a copy.
func (f *inflater) size(symbol int) (int, bool) {
	switch {
	case symbol < 8:
		return symbol + 3, true
	case symbol < 28:
		extra := symbol/4 - 1
		return (4+symbol&3)<<extra + 3 + f.take(extra), true
	}
	return 258, symbol == 28
}
