package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/trial"
)

// Folder is where a drive keeps its state: the folder of the results file.
//
//	results.jsonl      one record per run, in plan order once a command is over
//	ledger.jsonl       money reserved, charged and released
//	events.jsonl       every step of every trial, its record included
//	inflight*.json     one per trial that runs now; inflight.json is the first slot's
//	logs/              output, changes and test output of each trial
//
// Everything in it is for its owner only.
type Folder struct {
	Results string // path of the results file
	dir     string
	// prefix starts the names that belong to a results file of another name, so
	// that two drives in one folder don't take each other's runs for lost ones.
	prefix string
}

// NewFolder makes the folder if it is missing.
func NewFolder(results string) (Folder, error) {
	abs, err := filepath.Abs(results)
	if err != nil {
		return Folder{}, fmt.Errorf("finding the results folder: %w", err)
	}
	f := Folder{Results: abs, dir: filepath.Dir(abs)}
	if name := filepath.Base(abs); name != "results.jsonl" {
		f.prefix = name + "-"
	}
	if err := os.MkdirAll(f.logs(), 0o700); err != nil {
		return Folder{}, fmt.Errorf("making the results folder: %w", err)
	}
	return f, nil
}

func (f Folder) ledger() string { return filepath.Join(f.dir, f.prefix+"ledger.jsonl") }
func (f Folder) events() string { return filepath.Join(f.dir, f.prefix+"events.jsonl") }
func (f Folder) logs() string   { return filepath.Join(f.dir, "logs") }

func (f Folder) log(id trial.ID, ext string) string {
	return filepath.Join(f.logs(), safeName(f.prefix+id.FileName())+ext)
}

// safeName keeps a name from the tasks file inside the folder.
func safeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == os.PathSeparator || r == 0 {
			return '-'
		}
		return r
	}, strings.TrimLeft(name, "."))
}

func (f Folder) slot(n int) string {
	if n == 0 {
		return filepath.Join(f.dir, f.prefix+"inflight.json")
	}
	return filepath.Join(f.dir, fmt.Sprintf("%sinflight-%d.json", f.prefix, n+1))
}

// slots lists the in-flight files that are there.
func (f Folder) slots() []string {
	found, _ := filepath.Glob(escape(filepath.Join(f.dir, f.prefix+"inflight")) + "*.json")
	slices.Sort(found)
	return found
}

// escape takes the meaning of a pattern out of a path.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// read is a file's content, or nothing when there is no such file.
func read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// ReadRecords reads a results file; one that is missing holds nothing.
func ReadRecords(path string) ([]trial.Record, error) {
	data, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	return trial.ReadRecords(data), nil
}

// logged is the records in the event log.
func (f Folder) logged() ([]trial.Record, error) {
	data, err := read(f.events())
	if err != nil {
		return nil, fmt.Errorf("reading the event log: %w", err)
	}
	return trial.Logged(trial.ReadEvents(data)), nil
}

// lines is a file of JSON lines that only grows.
type lines struct {
	mu   sync.Mutex
	file *os.File
	sync bool // every line is on disk when add returns
}

// openLines opens the file for adding. A last line that a crash cut short is
// closed first, so that the next one starts on its own.
func openLines(path string, sync bool) (*lines, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &lines{file: file, sync: sync}
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = file.WriteString("\n")
			return l, err
		}
	}
	return l, nil
}

// add writes its lines with one write, which a kill cannot cut in two.
func (l *lines) add(values ...any) error {
	var text []byte
	for _, v := range values {
		line, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.file.Write(text); err != nil {
		return err
	}
	if l.sync {
		return l.file.Sync()
	}
	return nil
}

// flush puts what was added on disk.
func (l *lines) flush() error { return l.file.Sync() }

func (l *lines) close() error { return l.file.Close() }

// replace writes a whole file so that a reader, or a kill, sees the old content
// or the new one. With sync it is on disk, too, when replace returns.
func replace(path string, data []byte, sync bool) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already when all went well
	_, err = temp.Write(data)
	if err == nil && sync {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// sortResults puts the lines that were added after the first size bytes into
// plan order. Lines before that stay as they are, byte for byte.
func sortResults(path string, size int64, plan []trial.ID) error {
	data, err := read(path)
	if err != nil || int64(len(data)) <= size {
		return err
	}
	place := map[trial.ID]int{}
	for i, id := range plan {
		place[id] = i + 1
	}
	added := slices.Collect(bytes.Lines(data[size:]))
	slices.SortStableFunc(added, func(a, b []byte) int { return place[lineID(a)] - place[lineID(b)] })
	sorted := append(slices.Clone(data[:size]), bytes.Join(added, nil)...)
	if bytes.Equal(sorted, data) {
		return nil
	}
	return replace(path, sorted, true)
}

func lineID(line []byte) trial.ID {
	if r := trial.ReadRecords(line); len(r) == 1 {
		return r[0].ID()
	}
	return trial.ID{}
}
