package pack

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// openPlain opens a file that is one: opening a FIFO would wait for ever.
func openPlain(path string) (f *os.File, size int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > 1<<40 || int64(int(info.Size())) != info.Size() {
		return nil, 0, fmt.Errorf("%w: %s is no file of objects", ErrUnsupported, path)
	}
	f, err = os.Open(path)
	return f, int(info.Size()), err
}

// loose reads an object that has a file of its own.
func (r *Reader) loose(id ID, limit int) (kind Kind, data []byte, err error) {
	name := id.String()
	f, _, err := openPlain(filepath.Join(r.store.dir, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil, ErrMissing
	}
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	in, err := zlib.NewReader(f)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return looseObject(in, limit)
}

// looseObject reads "<kind> <size>", a NUL and the object.
func looseObject(in io.Reader, limit int) (kind Kind, data []byte, err error) {
	var start [32]byte
	n, err := io.ReadFull(in, start[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	head, body, ok := bytes.Cut(start[:n], []byte{0})
	word, digits, _ := bytes.Cut(head, []byte{' '})
	kind, known := kindOf(string(word))
	size, err := strconv.ParseUint(string(digits), 10, 62)
	switch {
	case !ok || !known || err != nil:
		return 0, nil, fmt.Errorf("%w: a loose object without a head", ErrDamaged)
	case size > uint64(limit):
		return 0, nil, ErrTooLarge
	}
	data = make([]byte, size)
	if n = copy(data, body); n < len(body) {
		return 0, nil, fmt.Errorf("%w: a loose object longer than it says", ErrDamaged)
	}
	if _, err := io.ReadFull(in, data[n:]); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if n, err := in.Read(start[:1]); n != 0 || !errors.Is(err, io.EOF) {
		return 0, nil, fmt.Errorf("%w: a loose object longer than it says", ErrDamaged)
	}
	return kind, data, nil
}

func kindOf(word string) (Kind, bool) {
	switch word {
	case "commit":
		return Commit, true
	case "tree":
		return Tree, true
	case "blob":
		return Blob, true
	case "tag":
		return Tag, true
	}
	return 0, false
}
