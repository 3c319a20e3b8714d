// Package live shows how a long command goes. A reader folds the command's
// events into what is to be seen: lines that stay, and an area below them that
// changes, with what runs and what is left. Readers have no clock and print
// nothing; [Watch] puts what they say on a terminal, where the area is drawn
// again and again, or into a file, which gets the lines that stay.
//
// Text from commits and agents is made safe by the readers; where an event says
// that its text is safe to show, it is shown.
package live

import (
	"fmt"
	"time"
)

// Reader makes lines of the events of one command.
type Reader[E any] interface {
	Take(e E) []Line         // takes in an event; the lines that it leaves for good
	Area(now time.Time) Area // what there is to see now
}

// Area is what changes: a line for each thing that runs, and the figures.
type Area struct{ Running, Figures []Line }

// Line is one line of text, safe to show.
type Line struct {
	Parts []Part
	// Passing: the area says it, so the line is for where there is none.
	Passing bool
}

// Part is a piece of a line in one tone.
type Part struct {
	Text string
	Tone Tone
}

// Tone is how a piece of text is meant.
type Tone uint8

// The tones, by what they say rather than by a colour.
const (
	Plain Tone = iota
	Good
	Bad
	Odd   // neither: it could not run, it was stopped
	Faint // beside the point
)

func line(format string, args ...any) Line {
	return Line{Parts: []Part{{Text: fmt.Sprintf(format, args...)}}}
}

// and adds a piece to the line.
func (l Line) and(tone Tone, format string, args ...any) Line {
	l.Parts = append(l.Parts, Part{fmt.Sprintf(format, args...), tone})
	return l
}

// String is the line without tones.
func (l Line) String() string {
	text := ""
	for _, p := range l.Parts {
		text += p.Text
	}
	return text
}
