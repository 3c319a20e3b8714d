package transcript

import (
	"bytes"
	"fmt"
	"io"
)

// First is the first line of the file at path, without its newline; nil when
// the file has no complete line yet, or one above MaxLine.
func First(path string) ([]byte, error) {
	f, _, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line := make([]byte, 0, 32<<10)
	for len(line) <= MaxLine {
		if len(line) == cap(line) {
			line = append(line, 0)[:len(line)]
		}
		n, err := f.Read(line[len(line):cap(line)])
		if i := bytes.IndexByte(line[len(line):len(line)+n], '\n'); i >= 0 {
			return line[:len(line)+i], nil
		}
		line = line[:len(line)+n]
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return nil, nil
}
