package transcript

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// edge is how much of a long result is looked at, at its beginning and at its
// end: what a command did stands at either.
const edge = 4 << 10

// SameText is a hash of what a tool call gave, never 0: the same for the same
// text, in any process. Parts are texts as JSON spells them, without their
// quotes. Clock times, dates and durations count as one and the same, because
// they differ where nothing else does; so do all numbers and hex ids of a
// failed call, but for counts of tests and errors. Of a part above 8 KB, its
// beginning, its end and, unless it failed, its length count.
func SameText(failed bool, parts ...[]byte) uint64 {
	h := digest(14695981039346656037) // FNV's start; any number would do
	for _, p := range parts {
		h.part(trimmed(p), failed)
	}
	h.word(uint64(len(parts)))
	return max(1, uint64(h))
}

// digest is the hash so far. It takes eight bytes at a time, because results
// are most of what a hook reads; FNV, which takes one, is too slow for that.
type digest uint64

func (h *digest) word(w uint64) {
	high, low := bits.Mul64(uint64(*h)^w, 0x9e3779b97f4a7c15)
	*h = digest(high ^ low ^ bits.RotateLeft64(w, 23))
}

func (h *digest) bytes(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		h.word(binary.LittleEndian.Uint64(b))
	}
	var last [8]byte
	last[7] = byte(1 + copy(last[:7], b))
	h.word(binary.LittleEndian.Uint64(last[:]))
}

func (h *digest) part(p []byte, failed bool) {
	if len(p) <= 2*edge {
		h.text(p, failed)
		return
	}
	if !failed {
		h.word(uint64(len(p)))
	}
	// At a space, so that no time is cut in two.
	head, tail := p[:edge], p[len(p)-edge:]
	if i := bytes.LastIndexByte(head[edge-64:], ' '); i >= 0 {
		head = head[:edge-64+i]
	}
	if i := bytes.IndexByte(tail[:64], ' '); i >= 0 {
		tail = tail[i:]
	}
	h.text(head, failed)
	h.text(tail, failed)
}

// text takes what stands between the numbers that don't count. The pieces begin
// anew after each, so that how long such a number is changes nothing.
func (h *digest) text(b []byte, failed bool) {
	at := 0
	for i := nextDigit(b, 0); i < len(b); {
		n := number{b: b, at: i, failed: failed}
		from, to := n.span(at)
		if from < to {
			h.bytes(b[at:from])
			at = to
		}
		i = nextDigit(b, max(to, i+1))
	}
	h.bytes(b[at:])
}

// nextDigit is where the next digit stands at or after i, len(b) without one.
func nextDigit(b []byte, i int) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:]) ^ each*'0' // digits are now 0 to 9
		others := ((w &^ high) + each*(128-10)) | w       // of all other bytes the highest bit is set
		if digits := ^others & high; digits != 0 {
			return i + bits.TrailingZeros64(digits)/8
		}
	}
	for i < len(b) && !isDigit(b[i]) {
		i++
	}
	return i
}

// trimmed is b without white space at its ends, whether it is written as such
// or as \n, \r or \t.
func trimmed(b []byte) []byte {
	for {
		before := len(b)
		b = bytes.TrimRight(bytes.TrimLeft(b, " \n\r\t"), " \n\r\t")
		if len(b) >= 2 && isEscapedSpace(b) {
			b = b[2:]
		}
		if end := len(b) - 2; end >= 0 && isEscapedSpace(b[end:]) && !escaped(b, end) {
			b = b[:end]
		}
		if len(b) == before {
			return b
		}
	}
}

func isEscapedSpace(b []byte) bool {
	return b[0] == '\\' && (b[1] == 'n' || b[1] == 'r' || b[1] == 't')
}

// escaped tells whether an odd number of backslashes stands before i.
func escaped(b []byte, i int) bool {
	from := i
	for from > 0 && b[from-1] == '\\' {
		from--
	}
	return (i-from)%2 == 1
}
