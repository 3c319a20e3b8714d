package pack

import "fmt"

// deltaSizes reads the head of a difference: the sizes of the base and of the
// result.
func deltaSizes(delta []byte) (base, result uint64, rest []byte, err error) {
	for _, size := range []*uint64{&base, &result} {
		value, n := varint(delta, 0, 0, 128)
		if n < 0 {
			return 0, 0, nil, fmt.Errorf("%w: the sizes of a difference", ErrDamaged)
		}
		*size, delta = value, delta[n:]
	}
	return base, result, delta, nil
}

// patch appends what a difference makes of base to out. It never grows out beyond
// its capacity, which is the size of the result.
func patch(out, base, delta []byte) ([]byte, error) {
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		piece := delta
		switch {
		case op&128 != 0:
			off, size, n := copyArgs(op, delta)
			if n < 0 || off > len(base) || size > len(base)-off {
				return nil, fmt.Errorf("%w: a difference that copies from outside", ErrDamaged)
			}
			piece, delta = base[off:off+size], delta[n:]
		case op != 0 && int(op) <= len(delta):
			piece, delta = delta[:op], delta[op:]
		default: // 0 is reserved
			return nil, fmt.Errorf("%w: a difference", ErrDamaged)
		}
		if len(piece) > cap(out)-len(out) {
			return nil, fmt.Errorf("%w: a difference that makes more than it says", ErrDamaged)
		}
		out = append(out, piece...)
	}
	if len(out) != cap(out) {
		return nil, fmt.Errorf("%w: a difference that makes less than it says", ErrDamaged)
	}
	return out, nil
}

// copyArgs reads which bytes to copy: the bits of op say which bytes of the
// offset and of the size are there. n is -1 when some are missing.
func copyArgs(op byte, args []byte) (off, size, n int) {
	for bit := range 7 {
		if op&(1<<bit) == 0 {
			continue
		}
		if n >= len(args) {
			return 0, 0, -1
		}
		if bit < 4 {
			off |= int(args[n]) << (8 * bit)
		} else {
			size |= int(args[n]) << (8 * (bit - 4))
		}
		n++
	}
	if size == 0 {
		size = 1 << 16
	}
	return off, size, n
}
