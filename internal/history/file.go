package history

import (
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/transcript"
	"checkrein/internal/usage"
)

// stamp tells whether a file has changed since it was read.
type stamp struct {
	size, at int64 // at: Unix nanoseconds
	inode    uint64
}

// stampOf is false for what is no plain file. A database's log of pending writes
// counts with it.
func stampOf(path string, database bool) (s stamp, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return s, false
	}
	s = stamp{info.Size(), info.ModTime().UnixNano(), inode(info)}
	if database {
		if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
			s.size += wal.Size()
			s.at = max(s.at, wal.ModTime().UnixNano())
		}
	}
	return s, true
}

// entry is one file as far as it was read.
type entry struct {
	harness string
	path    string
	stamp   stamp
	offset  int64  // where the next read starts
	tail    uint32 // checksum of what stands before offset
	resume  harness.Resume
	mark    int64        // of a database
	logs    []*usage.Log // one, of a database one a session
}

// maxHead is how many lines are looked at for what a log belongs to.
const maxHead = 50

// maxWhole bounds a file that is one document.
const maxWhole = 64 << 20

func (j *job) read() (*entry, error) {
	if j.archive.Query != nil {
		return j.query()
	}
	e := &entry{harness: j.archive.Name, path: j.log.Path, stamp: j.now}
	l := &usage.Log{Log: j.log, Harness: j.archive.Name}
	e.logs = []*usage.Log{l}
	if j.appended() {
		e.offset, e.resume = j.old.offset, j.old.resume
		l.Log, l.Responses = j.old.logs[0].Log, j.old.logs[0].Responses
	}
	p := pass{archive: j.archive, path: j.log.Path, log: l, from: e.offset, resume: e.resume}
	if err := p.run(); err != nil {
		return nil, err
	}
	l.Responses = append(l.Responses[:len(l.Responses):len(l.Responses)], p.found...)
	e.offset, e.resume = p.next, p.resume
	if p.next < p.end {
		open := pass{archive: j.archive, path: j.log.Path, log: l, from: p.next, to: p.end, final: true, resume: p.resume}
		if err := open.run(); err != nil {
			return nil, err
		}
		l.Open = open.found
	}
	e.tail, _ = tailSum(j.log.Path, e.offset)
	return e, nil
}

// appended tells whether the file is the one that was read before, and longer.
func (j *job) appended() bool {
	if j.old == nil || j.old.offset == 0 || len(j.old.logs) != 1 || j.old.stamp.inode != j.now.inode ||
		j.now.size <= j.old.stamp.size || compressed(j.log.Path) || j.whole() {
		return false
	}
	sum, err := tailSum(j.log.Path, j.old.offset)
	return err == nil && sum == j.old.tail
}

func (j *job) whole() bool { return j.archive.Whole != nil && j.archive.Whole(j.log.Path) }

// tailSum is a checksum of the last bytes before offset: a file that was written
// anew has others there.
func tailSum(path string, offset int64) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	b := make([]byte, min(offset, 1024))
	n, err := f.ReadAt(b, offset-int64(len(b)))
	return crc32.ChecksumIEEE(b[:n]), err
}

// pass reads a file's lines from one offset on with one reader.
type pass struct {
	archive harness.Archive
	path    string
	log     *usage.Log
	from    int64
	to      int64 // 0: all there is
	final   bool
	resume  harness.Resume

	reader harness.Reader
	heads  int
	found  []usage.Response
	end    int64
	next   int64
}

func (p *pass) run() (err error) {
	p.begin()
	if p.to == 0 {
		p.to = math.MaxInt64
	}
	if p.from > 0 {
		p.heads = maxHead
	}
	if p.end, err = p.lines(p.from, p.to, p.line); err != nil {
		return err
	}
	p.next, p.resume = p.reader.Close(p.end, p.final)
	return nil
}

func (p *pass) begin() {
	p.found = nil
	p.reader = p.archive.NewReader(p.add, p.resume)
}

func (p *pass) line(start int64, line []byte) {
	if p.heads < maxHead {
		p.heads++
		if p.archive.Head(&p.log.Log, line) {
			p.heads = maxHead
		}
	}
	short, again := p.archive.Skim(line, &p.resume)
	if again {
		p.begin()
		_, _ = p.lines(p.from, start, p.line) // it was readable a moment ago
	}
	if short != nil {
		p.reader.Line(start, short)
	}
}

func (p *pass) add(e harness.Event) {
	if e.Kind != harness.Response || e.Held {
		return
	}
	r := usage.Response{Model: e.Model, Usage: e.Usage, Guessed: e.Guessed, Told: e.USD}
	if e.ID != "" {
		r.ID = guard.NewID("assistant:" + e.ID)
	}
	if !e.Time.IsZero() {
		r.At = e.Time.UnixMilli()
	}
	p.found = append(p.found, r)
}

// lines yields the complete lines of the file between two offsets, which count
// in what a compressed file holds.
func (p *pass) lines(from, to int64, yield func(start int64, line []byte)) (end int64, err error) {
	switch {
	case p.archive.Whole != nil && p.archive.Whole(p.path):
		return whole(p.path, yield)
	case compressed(p.path):
		return unpacked(p.path, from, to, yield)
	}
	return transcript.Between(p.path, from, to, yield)
}

func whole(path string, yield func(start int64, line []byte)) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if info.Size() > maxWhole {
		return 0, fmt.Errorf("%s is larger than %d MB", path, maxWhole>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	yield(0, text)
	return int64(len(text)), nil
}

func compressed(path string) bool { return strings.HasSuffix(path, ".zst") }

// unpacked reads a compressed file from its beginning, in the memory of one
// window.
func unpacked(path string, from, to int64, yield func(start int64, line []byte)) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return 0, fmt.Errorf("reading %s: %w", path, err)
	}
	defer z.Close()
	end, err := transcript.Stream(z, to, func(start int64, line []byte) {
		if start >= from {
			yield(start, line)
		}
	})
	if err != nil {
		return end, fmt.Errorf("reading %s: %w", path, err)
	}
	return end, nil
}
