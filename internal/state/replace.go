package state

import (
	"errors"
	"os"
)

// replace puts data in the place of the file path in one step. The caller holds
// the file's lock.
//
// What was there stays beside it as path.tmp and is written over the next time:
// making and deleting a file at every tool call takes a file system up to a
// hundred times as long as changing two names (ext4 flushes a new file that
// replaces another). An interrupted call leaves a torn path.tmp and no harm.
func replace(path string, data []byte) error {
	spare := path + ".tmp"
	if err := overwrite(spare, data); err != nil {
		_ = os.Remove(spare)
		return err
	}
	if swap(spare, path) != nil { // there is no file yet, or this file system can't
		return os.Rename(spare, path)
	}
	return nil
}

// overwrite writes data over what path holds.
func overwrite(path string, data []byte) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|plainFile, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}
