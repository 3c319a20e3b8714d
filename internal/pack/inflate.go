package pack

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// inflater reads zlib streams.
type inflater struct {
	in  bytes.Reader
	out io.ReadCloser
	one [1]byte
}

// inflate fills out from the stream that data starts with, which must have
// exactly as many bytes.
func (f *inflater) inflate(out, data []byte) (err error) {
	f.in.Reset(data)
	if f.out == nil {
		f.out, err = zlib.NewReader(&f.in)
	} else {
		err = f.out.(zlib.Resetter).Reset(&f.in, nil)
	}
	if err == nil {
		_, err = io.ReadFull(f.out, out)
	}
	if err == nil {
		var n int
		if n, err = f.out.Read(f.one[:]); n == 0 && err == io.EOF {
			return nil
		}
	}
	return fmt.Errorf("%w: inflating: %v", ErrDamaged, err)
}
