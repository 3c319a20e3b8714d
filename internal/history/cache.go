package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"checkrein/internal/usage"
)

// format names what the bytes of a cache mean. Another format, like another
// program's cache or a damaged one, is not read: everything is read anew.
const format = "checkrein usage 1\n"

// maxCache is far above what a lifetime of sessions needs.
const maxCache = 1 << 30

// load reads a cache; empty when there is none that can be used.
func load(path, build string) map[string]*entry {
	none := map[string]*entry{}
	if path == "" {
		return none
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxCache {
		return none
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return none
	}
	entries, err := decode(data, build)
	if err != nil {
		return none
	}
	return entries
}

// save puts a cache in the old one's place in one step.
func save(path, build string, entries map[string]*entry) (err error) {
	if path == "" {
		return nil
	}
	data, err := encode(build, entries)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp") // 0600; an interrupted one is pruned with old sessions
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// writer builds a cache. Names are written once and then by their number.
type writer struct {
	bytes.Buffer
	names map[string]uint64
}

func (w *writer) uint(n uint64) {
	w.Write(binary.AppendUvarint(w.AvailableBuffer(), n))
}

func (w *writer) int(n int64) {
	w.Write(binary.AppendVarint(w.AvailableBuffer(), n))
}

func (w *writer) name(s string) {
	n, known := w.names[s]
	if known {
		w.uint(n)
		return
	}
	n = uint64(len(w.names))
	w.names[s] = n
	w.uint(n)
	w.uint(uint64(len(s)))
	w.WriteString(s)
}

func encode(build string, entries map[string]*entry) ([]byte, error) {
	w := &writer{names: map[string]uint64{}}
	w.WriteString(format)
	w.name(build)
	w.uint(uint64(len(entries)))
	for _, e := range entries {
		if err := w.entry(e); err != nil {
			return nil, err
		}
	}
	return binary.LittleEndian.AppendUint32(w.Bytes(), crc32.ChecksumIEEE(w.Bytes())), nil
}

func (w *writer) entry(e *entry) error {
	resume, err := json.Marshal(e.resume)
	if err != nil {
		return fmt.Errorf("writing how far a file was read: %w", err)
	}
	w.name(e.harness)
	w.name(e.path)
	w.int(e.stamp.size)
	w.int(e.stamp.at)
	w.uint(e.stamp.inode)
	w.int(e.offset)
	w.uint(uint64(e.tail))
	w.name(string(resume))
	w.int(e.mark)
	w.uint(uint64(len(e.logs)))
	for _, l := range e.logs {
		for _, s := range []string{l.Path, l.Session, l.Project, l.Agent} {
			w.name(s)
		}
		w.responses(l.Responses)
		w.responses(l.Open)
	}
	return nil
}

func (w *writer) responses(list []usage.Response) {
	w.uint(uint64(len(list)))
	var before int64
	for i := range list {
		r := &list[i]
		w.Write(r.ID[:])
		w.int(r.At - before)
		before = r.At
		w.name(r.Model)
		u := r.Usage
		for _, n := range [...]int64{
			u.Input, u.CacheRead, u.CacheWrite, u.CacheWrite1h, u.Output, u.Reasoning, u.WebSearches, r.Guessed,
		} {
			w.int(n)
		}
		w.WriteByte(terms(u.Terms))
		w.uint(math.Float64bits(r.Told))
	}
}
