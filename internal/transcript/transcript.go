// Package transcript reads what an agent's transcript gained: whole new lines
// from an offset, the lenient JSON of one line, and a queue that keeps events
// in file order until what they lack is known.
//
// It promises to work in bounded memory whatever the file holds, never to
// block on a path that is not a plain file, and never to read a half-written
// last line. It knows no harness: what a record means is told in the folders
// of package harness.
package transcript

import (
	"fmt"
	"io"
	"math"
	"os"
)

// MaxLine is the length in bytes above which a line is passed over. The
// longest lines seen in real sessions hold images and stay below it.
const MaxLine = 16 << 20

// chunk is how much is read at a time: above it, fewer system calls no longer
// pay.
const chunk = 256 << 10

// Tail yields every complete line of the file at path from offset on, without
// its newline, and returns where the next Tail must start: after the last
// newline. line is only valid during the call. Lines above MaxLine are passed
// over. On an error, end is the offset up to which lines were yielded.
func Tail(path string, offset int64, yield func(start int64, line []byte)) (end int64, err error) {
	return Between(path, offset, math.MaxInt64, yield)
}

// Between is Tail for the lines that start at from and end, newline included,
// at to at the latest.
func Between(path string, from, to int64, yield func(start int64, line []byte)) (end int64, err error) {
	f, size, err := open(path)
	if err != nil {
		return from, err
	}
	defer f.Close()
	t := tail{file: f, size: size, at: from, to: to, yield: yield}
	if err := t.run(); err != nil {
		return t.at, fmt.Errorf("reading %s: %w", path, err)
	}
	return t.at, nil
}

// Matches tells whether match holds for some piece of the file at path at or
// after from. Pieces overlap by span bytes, so that nothing shorter than span
// is missed at a boundary.
func Matches(path string, from int64, span int, match func([]byte) bool) (bool, error) {
	f, _, err := open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf := make([]byte, span+chunk)
	for kept, at := 0, from; ; {
		n, err := f.ReadAt(buf[kept:], at)
		if match(buf[:kept+n]) {
			return true, nil
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("searching %s: %w", path, err)
		}
		at += int64(n)
		kept = copy(buf, buf[max(0, kept+n-span):kept+n])
	}
}

// open opens a plain file. A FIFO would block until someone writes to it and a
// device may never end, so both are refused, at once.
func open(path string) (f *os.File, size int64, err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, 0, fmt.Errorf("opening transcript: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a plain file", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("opening transcript: %w", err)
	}
	return f, info.Size(), nil
}
