package proc

import (
	"fmt"
	"os"
	"syscall"
)

// openFiles opens the command's three streams.
func openFiles(req request) ([]uintptr, error) {
	if req.Opened {
		return []uintptr{5, 6, 7}, nil
	}
	in, err := open(req.Stdin, syscall.O_RDONLY)
	if err != nil {
		return nil, err
	}
	const create = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_TRUNC | syscall.O_APPEND
	out, err := open(req.Stdout, create)
	if err != nil {
		return nil, err
	}
	if len(req.Stderr) == 0 {
		return []uintptr{in, out, out}, nil
	}
	errs, err := open(req.Stderr, create)
	return []uintptr{in, out, errs}, err
}

func open(path []byte, flags int) (uintptr, error) {
	if len(path) == 0 {
		path, flags = []byte(os.DevNull), syscall.O_RDWR
	}
	fd, err := syscall.Open(string(path), flags|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("opening %s: %w", path, err)
	}
	return uintptr(fd), nil
}

func closeFiles(files []uintptr) {
	for i, fd := range files {
		if i == 2 && fd == files[1] {
			continue
		}
		_ = syscall.Close(int(fd))
	}
}
