//go:build unix

package pack

import (
	"fmt"
	"os"
	"syscall"
)

// mapping is a file in memory. Its pages are the system's to take back, so that a
// pack of any size is no burden.
type mapping struct{ data []byte }

func mapFile(path string) (m mapping, err error) {
	f, size, err := openPlain(path)
	if err != nil {
		return m, err
	}
	defer f.Close()
	if m.data, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE); err != nil {
		return m, fmt.Errorf("mapping a pack: %w", &os.PathError{Op: "mmap", Path: path, Err: err})
	}
	return m, nil
}

func (m *mapping) close() error {
	if m.data == nil {
		return nil
	}
	data := m.data
	m.data = nil
	return syscall.Munmap(data)
}
