package opencode

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// tries bounds how often a read without locks is begun anew.
const tries = 3

// withDatabase calls use with the database at path, opened for reading only.
//
// A database without a log of pending writes has all its content in its one
// file, so it is read without locks and nothing is made or changed beside it;
// that the file is the same afterwards shows that no write came between. With a
// log there is or was a live session: then SQLite's own protocol for readers is
// followed, which marks what is being read in the -shm file. A log without that
// file was left by a crash or a copy; reading it in place would make files, so a
// copy of both is read.
func withDatabase(path string, use func(*sqlite3.Conn) error) error {
	for range tries {
		if there(path+"-wal") || there(path+"-journal") {
			break
		}
		before := stamp(path)
		err := withFile(path, "immutable=1", use)
		if stamp(path) == before {
			return err
		}
	}
	if there(path+"-wal") && !exists(path+"-shm") {
		return withCopy(path, use)
	}
	return withFile(path, "mode=ro", use)
}

// there tells whether a file has something in it.
func there(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

type fileStamp struct {
	size, at int64
}

func stamp(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime().UnixNano()}
}

func withFile(path, how string, use func(*sqlite3.Conn) error) (err error) {
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: how}
	c, err := sqlite3.OpenFlags(uri.String(), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.BusyTimeout(5 * time.Second); err != nil {
		return err
	}
	if err := c.Exec("BEGIN"); err != nil { // one state of the database for all that is read
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if err := use(c); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return c.Exec("COMMIT")
}

func withCopy(path string, use func(*sqlite3.Conn) error) error {
	dir, err := os.MkdirTemp("", "checkrein-opencode-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "copy.db")
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(path+end, to+end); err != nil {
			return err
		}
	}
	return withFile(to, "mode=ro", use)
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
