//go:build !unix

package pack

import (
	"fmt"
	"io"
)

// mapping is a file in memory.
type mapping struct{ data []byte }

// mostRead bounds the memory where files can't be mapped.
const mostRead = 256 << 20

func mapFile(path string) (m mapping, err error) {
	f, size, err := openPlain(path)
	if err != nil {
		return m, err
	}
	defer f.Close()
	if size > mostRead {
		return m, fmt.Errorf("%w: a pack of %d bytes", ErrUnsupported, size)
	}
	m.data = make([]byte, size)
	_, err = io.ReadFull(f, m.data)
	return m, err
}

func (m *mapping) close() error {
	m.data = nil
	return nil
}
