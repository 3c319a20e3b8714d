// Package vt is what a person sees on a terminal of what a program wrote to it.
// It is for tests, knows the few control sequences that this program uses, and
// lists all others.
package vt

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Screen is a terminal after a program wrote to it.
type Screen struct {
	Lines   []string // all of them, those that have scrolled off included; no spaces at their ends
	Hidden  bool     // the cursor is
	Unknown []string // control sequences that it does not know

	columns, rows int
	wide          func(string) int
	cells         [][]string
	row, column   int // row counts from the first line ever
}

// Play shows a terminal of a size with what a program wrote. Wide says how many
// columns a rune takes.
func Play(written string, columns, rows int, wide func(string) int) Screen {
	s := Screen{columns: columns, rows: rows, wide: wide, cells: [][]string{{}}}
	control := regexp.MustCompile(`^\x1b\[([?0-9;]*)([@-~])`)
	for written != "" {
		if m := control.FindStringSubmatch(written); m != nil {
			s.control(m[1], m[2])
			written = written[len(m[0]):]
			continue
		}
		r, n := utf8.DecodeRuneInString(written)
		s.put(r)
		written = written[n:]
	}
	for _, cells := range s.cells {
		s.Lines = append(s.Lines, strings.TrimRight(strings.Join(cells, ""), " "))
	}
	for len(s.Lines) > 0 && s.Lines[len(s.Lines)-1] == "" {
		s.Lines = s.Lines[:len(s.Lines)-1]
	}
	return s
}

// String is the lines as one text.
func (s Screen) String() string { return strings.Join(s.Lines, "\n") }

func (s *Screen) control(arguments, final string) {
	switch {
	case final == "A" && arguments == "":
		s.row = max(s.row-1, s.top())
	case final == "J" && arguments == "":
		s.clear()
	case final == "m":
	case arguments == "?25" && (final == "l" || final == "h"):
		s.Hidden = final == "l"
	default:
		s.Unknown = append(s.Unknown, fmt.Sprintf("ESC[%s%s", arguments, final))
	}
}

// top is the first line that has not scrolled off: the cursor gets no further
// up.
func (s *Screen) top() int { return max(len(s.cells)-s.rows, 0) }

// clear empties everything from the cursor on. The lines stay: a screen does
// not shrink.
func (s *Screen) clear() {
	s.cells[s.row] = s.cells[s.row][:min(s.column, len(s.cells[s.row]))]
	for i := s.row + 1; i < len(s.cells); i++ {
		s.cells[i] = nil
	}
}

func (s *Screen) put(r rune) {
	switch r {
	case '\n': // a terminal's driver makes it the start of a new line
		s.newLine()
		return
	case '\r':
		s.column = 0
		return
	case '\x1b', '\b', '\t', '\a':
		s.Unknown = append(s.Unknown, fmt.Sprintf("%q", r))
		return
	}
	n := s.wide(string(r))
	if n == 0 {
		return
	}
	if s.column+n > s.columns {
		s.newLine()
	}
	cells := s.cells[s.row]
	for len(cells) < s.column+n {
		cells = append(cells, " ")
	}
	cells[s.column] = string(r)
	if n == 2 {
		cells[s.column+1] = "" // the other half
	}
	s.cells[s.row], s.column = cells, s.column+n
}

func (s *Screen) newLine() {
	if s.row++; s.row == len(s.cells) {
		s.cells = append(s.cells, nil)
	}
	s.column = 0
}
