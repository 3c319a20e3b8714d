package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// made is what was written.
type made struct {
	files, responses int
	bytes            int64
}

// maker writes sessions. Its numbers come from a fixed seed, so that every run
// measures the same files.
type maker struct {
	random *rand.Rand
	home   string
	lines  []string // of tool output, escaped as in JSON
	id     int
	made   made
}

func makeHistory(home string, files int, size int64) (made, error) {
	m := &maker{random: rand.New(rand.NewPCG(1, 2)), home: home}
	m.makeLines()
	year := time.Date(2025, 12, 1, 8, 0, 0, 0, time.UTC)
	for m.made.files < files {
		left := files - m.made.files
		share := float64(size-m.made.bytes) / float64(left)
		want := int64(share * (0.2 + 1.6*m.random.Float64())) // long and short ones
		at := year.Add(time.Duration(m.made.files) * 365 * 24 * time.Hour / time.Duration(files))
		var err error
		switch n := m.random.IntN(100); {
		case n < 70:
			err = m.claude(at, want, left)
		case n < 95:
			err = m.codex(at, want)
		default:
			err = m.gemini(at, want)
		}
		if err != nil {
			return m.made, err
		}
	}
	return m.made, nil
}

// makeLines makes lines like those of programs: words, paths, code with quotes.
func (m *maker) makeLines() {
	words := strings.Fields("the error file test func return value string int config server request response handler user " +
		"index data build cache token usage type message input output assert expected got line path main package import module")
	for range 4000 {
		var b strings.Builder
		for range 3 + m.random.IntN(14) {
			switch m.random.IntN(14) {
			case 0:
				fmt.Fprintf(&b, `\"%s\": `, words[m.random.IntN(len(words))])
			case 1:
				fmt.Fprintf(&b, "src/%s/%s_%d.go:%d ", words[m.random.IntN(len(words))], words[m.random.IntN(len(words))], m.random.IntN(99), m.random.IntN(900))
			case 2:
				b.WriteString(`\t`)
			default:
				b.WriteString(words[m.random.IntN(len(words))] + " ")
			}
		}
		m.lines = append(m.lines, b.String()+`\n`)
	}
}

// output is the output of a tool, about n bytes long.
func (m *maker) output(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(m.lines[m.random.IntN(len(m.lines))])
	}
	return b.String()
}

// length of a tool's output: most are short, some fill a screen many times.
func (m *maker) length() int {
	if m.random.IntN(10) == 0 {
		return 20_000 + m.random.IntN(40_000)
	}
	return 200 + m.random.IntN(6000)
}

func (m *maker) uuid() string {
	m.id++
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", m.random.Uint32(), m.random.IntN(1<<16), m.random.IntN(1<<12), m.random.IntN(1<<12), m.id)
}

// file is one transcript being written.
type file struct {
	*bufio.Writer
	f    *os.File
	size int64
}

func (m *maker) create(path string) (*file, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	m.made.files++
	return &file{Writer: bufio.NewWriterSize(f, 1<<20), f: f}, nil
}

func (f *file) line(format string, args ...any) {
	n, _ := fmt.Fprintf(f, format+"\n", args...)
	f.size += int64(n)
}

func (m *maker) close(f *file) error {
	m.made.bytes += f.size
	if err := f.Flush(); err != nil {
		return err
	}
	return f.f.Close()
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
