package transcript

import (
	"bufio"
	"errors"
	"io"
)

// Stream is Between, from the first line on, for what can only be read from its
// beginning: a compressed file.
func Stream(r io.Reader, to int64, yield func(start int64, line []byte)) (end int64, err error) {
	b := bufio.NewReaderSize(r, chunk)
	var long []byte // a line longer than a chunk, as far as it was read
	size := int64(0)
	for end < to {
		piece, err := b.ReadSlice('\n')
		size += int64(len(piece))
		if len(long)+len(piece) <= MaxLine+1 {
			if err != nil || len(long) > 0 {
				long = append(long, piece...)
				piece = long
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			return end, nil
		case err != nil:
			return end, err
		}
		if size <= MaxLine+1 {
			yield(end, piece[:len(piece)-1])
		}
		end, size, long = end+size, 0, long[:0]
	}
	return end, nil
}
