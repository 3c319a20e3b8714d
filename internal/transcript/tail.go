package transcript

import (
	"bytes"
	"io"
	"os"
)

// tail reads a file in chunks and yields the lines in place, without copying
// them. The next chunk begins with the line that the last one cut off; a line
// that fills a whole chunk is first measured and then read in one piece.
type tail struct {
	file  *os.File
	size  int64 // when it was opened
	at    int64 // the start of the next line
	to    int64
	yield func(start int64, line []byte)
	long  []byte // a line longer than a chunk
	scan  []byte // what is read to find its end
}

func (t *tail) run() error {
	buf := make([]byte, min(chunk, max(512, t.size-t.at+1))) // one more byte: to see the end at once
	for t.at < t.to {
		want := min(int64(len(buf)), t.to-t.at)
		n, err := t.file.ReadAt(buf[:want], t.at)
		more := t.lines(buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if more {
			continue
		}
		if done, err := t.longLine(t.at + int64(n)); done || err != nil {
			return err
		}
	}
	return nil
}

// lines yields the complete lines of b, which begins at t.at; false when there
// is none.
func (t *tail) lines(b []byte) (found bool) {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return found
		}
		start := t.at
		t.at += int64(i) + 1
		t.yield(start, b[:i])
		b, found = b[i+1:], true
	}
}

// longLine yields the line at t.at, whose end lies at or after from. It says
// done when the line has no end yet.
func (t *tail) longLine(from int64) (done bool, err error) {
	end, err := t.newline(from)
	if end < 0 || err != nil {
		return true, err
	}
	start, length := t.at, end-t.at
	t.at = end + 1
	if length > MaxLine {
		return false, nil
	}
	if int64(cap(t.long)) < length {
		t.long = make([]byte, length)
	}
	n, err := t.file.ReadAt(t.long[:length], start)
	if err == nil {
		t.yield(start, t.long[:n])
	}
	return false, err
}

// newline is where the next newline at or after from stands, -1 without one.
func (t *tail) newline(from int64) (int64, error) {
	if t.scan == nil {
		t.scan = make([]byte, chunk)
	}
	for from < t.to {
		n, err := t.file.ReadAt(t.scan[:min(chunk, t.to-from)], from)
		if i := bytes.IndexByte(t.scan[:n], '\n'); i >= 0 {
			return from + int64(i), nil
		}
		from += int64(n)
		if err == io.EOF {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
	}
	return -1, nil
}
