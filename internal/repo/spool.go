package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// block is the alignment of contents in a spool: file systems share blocks of
// this size between files.
const block = 4096

// spool keeps the contents of blobs in one temporary file without a name. It
// vanishes with the process, whatever ends it, and no agent can open it to
// change the copies made later.
type spool struct {
	file *os.File
	mu   sync.Mutex
	end  int64
	at   map[string]span // by blob id
}

// span is where a content stands in a file.
type span struct {
	off, size int64
	whole     bool // the whole file
}

func newSpool() (*spool, error) {
	f, err := namelessFile()
	if err != nil {
		return nil, fmt.Errorf("making a temporary file (TMPDIR can name another folder for them): %w", err)
	}
	return &spool{file: f, at: map[string]span{}}, nil
}

// namelessFile is a temporary file that is already deleted.
func namelessFile() (*os.File, error) {
	f, err := os.CreateTemp("", "checkrein-spool-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func (s *spool) close() error { return s.file.Close() }

func (s *spool) find(id string) (span, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[id]
	return at, ok
}

// read returns one content.
func (s *spool) read(id string) ([]byte, error) {
	at, ok := s.find(id)
	if !ok {
		return nil, missing(id)
	}
	data := make([]byte, at.size)
	_, err := s.file.ReadAt(data, at.off)
	return data, err
}

// missing lists the ids of files that the spool doesn't hold, each once.
func (s *spool) missing(files []file) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	seen := map[string]bool{}
	for _, f := range files {
		if _, ok := s.at[f.id]; !ok && !seen[f.id] {
			seen[f.id] = true
			ids = append(ids, f.id)
		}
	}
	return ids
}

// fill reads what is missing with one git process. ErrNoObject when the clone
// lacks one.
func (s *spool) fill(ctx context.Context, r *Repo, files []file) error {
	ids := s.missing(files)
	if len(ids) == 0 {
		return nil
	}
	cmd := readCommand(ctx, r.Top, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	err := eachObject(cmd, s.add)
	return errors.Join(err, s.pad())
}

// pad makes the last block whole: only whole blocks can be shared.
func (s *spool) pad() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Truncate(s.end)
}

// add appends one content.
func (s *spool) add(id string, size int64, content io.Reader) error {
	s.mu.Lock()
	off := s.end
	s.end += (size + block - 1) / block * block
	s.mu.Unlock()
	if n, err := io.Copy(io.NewOffsetWriter(s.file, off), content); err != nil || n != size {
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[id] = span{off: off, size: size}
	return nil
}

// eachObject runs `git cat-file --batch` and hands every object to do.
func eachObject(cmd *exec.Cmd, do func(id string, size int64, content io.Reader) error) (err error) {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting git: %w", err)
	}
	defer func() {
		_ = pipe.Close() // ends git when we stop early
		if waited := cmd.Wait(); err == nil && waited != nil {
			err = fmt.Errorf("%w: git cat-file: %w", ErrNoObject, waited)
		}
	}()
	in := bufio.NewReaderSize(pipe, 256<<10)
	for {
		header, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && header == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading git cat-file: %w", err)
		}
		if err := oneObject(header, in, do); err != nil {
			return err
		}
	}
}

func oneObject(header string, in *bufio.Reader, do func(string, int64, io.Reader) error) error {
	fields := strings.Fields(header)
	if len(fields) != 3 { // "<id> missing"
		return missing(strings.TrimSuffix(strings.TrimSpace(header), " missing"))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return fmt.Errorf("reading git cat-file: %w", err)
	}
	if err := do(fields[0], size, io.LimitReader(in, size)); err != nil {
		return err
	}
	_, err = in.Discard(1) // the newline after each object
	return err
}
