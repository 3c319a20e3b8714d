package history

import "checkrein/internal/transcript"

// Lines yields the complete lines of a transcript that begin before to, with the
// offset at which each starts, which counts in what a compressed file holds.
func Lines(path string, to int64, yield func(start int64, line []byte)) error {
	var err error
	if compressed(path) {
		_, err = unpacked(path, 0, to, yield)
	} else {
		_, err = transcript.Between(path, 0, to, yield)
	}
	return err
}
