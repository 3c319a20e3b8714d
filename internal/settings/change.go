package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged: somebody else wrote the file after it was read.
var ErrChanged = errors.New("it changed meanwhile; run the command again")

// Change is one file's new text.
type Change struct {
	File    File
	Text    []byte // nil removes the file
	Private bool   // folders made for it are for their owner only
}

// Apply makes all the changes or none: when one file can't be written, or is not
// as it was read, those before it are put back. The error names the file.
func Apply(changes []Change) error {
	for _, c := range changes {
		if err := unchanged(c.File); err != nil {
			return err
		}
	}
	var undo []func() error
	for _, c := range changes {
		back, err := apply(c)
		if err != nil {
			return errors.Join(err, undoAll(append(undo, back)))
		}
		undo = append(undo, back)
	}
	return nil
}

// apply makes one change and returns what puts the file and its folders back.
func apply(c Change) (undo func() error, err error) {
	made, err := makeFolder(filepath.Dir(c.File.Real), folderMode(c.Private))
	removeFolders := func() error { removeAll(made); return nil }
	if err == nil {
		err = unchanged(c.File)
	}
	if err == nil {
		err = put(c.File, c.Text)
	}
	if err != nil {
		return removeFolders, err
	}
	return func() error {
		before := c.File.Text
		if !c.File.Exists {
			before = nil
		}
		return errors.Join(put(c.File, before), removeFolders())
	}, nil
}

func undoAll(undo []func() error) error {
	var errs []error
	for i := len(undo) - 1; i >= 0; i-- {
		if err := undo[i](); err != nil {
			errs = append(errs, fmt.Errorf("putting the earlier files back: %w", err))
		}
	}
	return errors.Join(errs...)
}

// unchanged reads the file again, its links too.
func unchanged(f File) error {
	now, err := Read(f.Path)
	if err != nil {
		return err
	}
	if now.Real != f.Real || now.Exists != f.Exists || !bytes.Equal(now.Text, f.Text) {
		return fmt.Errorf("writing %s: %w", f.Path, ErrChanged)
	}
	return nil
}

func put(f File, text []byte) error {
	var err error
	if text == nil {
		if err = os.Remove(f.Real); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else {
		err = replace(f, text)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.Path, Reason(err))
	}
	return nil
}

// replace puts the new text in the file's place in one step: at any instant the
// old or the new one is there, also after a power cut.
func replace(f File, text []byte) error {
	mode := f.Mode
	if !f.Exists {
		mode = 0o600
	}
	// CreateTemp makes the file readable by its owner only, so that nobody else
	// reads a private file even for a moment.
	tmp, err := os.CreateTemp(filepath.Dir(f.Real), filepath.Base(f.Real)+".checkrein-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the rename there is none
	err = errors.Join(keepOwner(tmp, f), tmp.Chmod(mode), write(tmp, text), tmp.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), f.Real); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(f.Real))
}

func write(f *os.File, text []byte) error {
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

func folderMode(private bool) fs.FileMode {
	if private {
		return 0o700
	}
	return 0o755
}

// makeFolder makes a folder and those above it; it returns those it made.
func makeFolder(dir string, mode fs.FileMode) ([]string, error) {
	var missing []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		missing = append([]string{at}, missing...)
	}
	for i, at := range missing {
		if err := os.Mkdir(at, mode); err != nil {
			return missing[:i], fmt.Errorf("making the folder %s: %w", at, Reason(err))
		}
	}
	return missing, nil
}

// removeAll leaves a folder that somebody uses by now.
func removeAll(folders []string) {
	for i := len(folders) - 1; i >= 0; i-- {
		_ = os.Remove(folders[i])
	}
}
