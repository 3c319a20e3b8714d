package pack

import (
	"bytes"
	"math/bits"
)

// huffman is one code of a block (RFC 1951, 3.2.2).
type huffman struct {
	fast    [1 << fastBits]uint16 // by the next bits: the symbol, and in the low four bits how many belong to it; 0 for a longer code
	count   [longestCode + 1]uint16
	symbols [288]uint16 // in the order of their codes
}

const (
	fastBits    = 9
	longestCode = 15
)

// build makes the code of the lengths that its symbols have. It is false where
// zlib says so, too: two symbols would share a code, or a code would have none,
// unless there is at most one symbol, of one bit.
func (h *huffman) build(lens []byte) bool {
	h.fast, h.count = [1 << fastBits]uint16{}, [longestCode + 1]uint16{}
	for _, n := range lens {
		h.count[n]++
	}
	h.count[0] = 0
	var code, place [longestCode + 2]int
	for n := 1; n <= longestCode; n++ {
		end := code[n] + int(h.count[n])
		if end > 1<<n {
			return false
		}
		code[n+1], place[n+1] = end<<1, place[n]+int(h.count[n])
	}
	symbols := place[longestCode+1]
	if whole := code[longestCode+1] == 2<<longestCode; !whole && symbols > int(h.count[1]) || symbols > 1 && !whole {
		return false
	}
	for symbol, n := range lens {
		if n > 0 {
			h.symbols[place[n]] = uint16(symbol)
			h.quicken(symbol, code[n], int(n))
			place[n]++
			code[n]++
		}
	}
	return true
}

// quicken enters a code in fast under all that can follow it. Codes come with
// their highest bit first, all else in a stream with its lowest.
func (h *huffman) quicken(symbol, code, n int) {
	if n > fastBits {
		return
	}
	for at := int(bits.Reverse16(uint16(code)) >> (16 - n)); at < len(h.fast); at += 1 << n {
		h.fast[at] = uint16(symbol<<4 | n)
	}
}

// next takes the next symbol; -1 for a code that has none.
func (h *huffman) next(f *inflater) int {
	if e := int(h.fast[f.acc&(1<<fastBits-1)]); e != 0 {
		f.acc >>= uint(e & 15)
		f.n -= e & 15
		return e >> 4
	}
	code, first, place := 0, 0, 0
	for n := 1; n <= longestCode; n++ {
		code = code<<1 | f.take(1)
		count := int(h.count[n])
		if code-first < count {
			return int(h.symbols[place+code-first])
		}
		place += count
		first = (first + count) << 1
	}
	return -1
}

// setFixed makes the two codes that every stream may use.
func (f *inflater) setFixed() {
	if f.fixed == nil {
		f.fixed = new([2]huffman)
		var lens [288]byte
		for i := range lens {
			switch {
			case i < 144, i >= 280:
				lens[i] = 8
			case i < 256:
				lens[i] = 9
			default:
				lens[i] = 7
			}
		}
		f.fixed[0].build(lens[:])
		f.fixed[1].build(bytes.Repeat([]byte{5}, 32))
	}
	f.literals, f.distances = &f.fixed[0], &f.fixed[1]
}

// readCodes reads the two codes of a block, which are written as the lengths of
// their symbols in a third.
func (f *inflater) readCodes() bool {
	f.refill()
	literals, distances, lengths := f.take(5)+257, f.take(5)+1, f.take(4)+4
	if literals > maxLiterals || distances > maxDistances {
		return false
	}
	const order = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"
	var lens [len(order)]byte
	for i := range lengths {
		f.refill()
		lens[order[i]] = byte(f.take(3))
	}
	if f.n < 0 || !f.lengths.build(lens[:]) || !f.readLengths(f.lens[:literals+distances]) {
		return false
	}
	const end = 256
	f.literals, f.distances = &f.own[0], &f.own[1]
	return f.lens[end] != 0 && f.literals.build(f.lens[:literals]) && f.distances.build(f.lens[literals:literals+distances])
}

// readLengths reads the lengths of symbols: as they are, or as repeats of the
// last one, or of none.
func (f *inflater) readLengths(lens []byte) bool {
	for i := 0; i < len(lens); {
		f.refill()
		symbol := f.lengths.next(f)
		repeat, value := 1, byte(symbol)
		switch {
		case symbol == 16 && i > 0:
			repeat, value = 3+f.take(2), lens[i-1]
		case symbol == 17:
			repeat, value = 3+f.take(3), 0
		case symbol == 18:
			repeat, value = 11+f.take(7), 0
		case symbol < 0 || symbol == 16:
			return false
		}
		if f.n < 0 || repeat > len(lens)-i {
			return false
		}
		for range repeat {
			lens[i] = value
			i++
		}
	}
	return true
}
