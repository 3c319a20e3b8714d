package live

import "strings"

// screen draws lines, and an area below them that it draws again and again. Each
// drawing is one write, which starts and ends with the cursor below the area
// and visible: so a kill leaves a whole drawing behind, and a usable terminal.
type screen struct {
	Terminal
	drawn []int  // columns of each line of the area that is there
	shown string // the area that is there
}

// Control sequences that every terminal of today knows.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	clearBelow = "\x1b[J" // from the cursor to the end of the screen
	lineUp     = "\x1b[A"
)

// draw adds lines for good, and draws the area below them.
func (s *screen) draw(stay []Line, area Area) {
	if !s.Live {
		s.print(stay)
		return
	}
	width, height := s.Size()
	lines := fit(area, width-1, height-1) // a letter in the last column makes some terminals break the line
	text := s.text(lines, false)
	if len(stay) == 0 && text == s.shown && s.fits(width) {
		return
	}
	s.write(hideCursor + s.erase(width) + s.text(stay, true) + text + showCursor)
	s.shown, s.drawn = text, nil
	for _, l := range lines {
		s.drawn = append(s.drawn, Columns(l.String()))
	}
}

// print is draw where no area can be drawn.
func (s *screen) print(stay []Line) {
	if text := s.text(stay, false); text != "" {
		s.write(text)
	}
}

// write ignores errors: a terminal that is gone is no reason to stop a run.
func (s *screen) write(text string) { _, _ = s.Out.Write([]byte(text)) }

// text is lines as they are written, those that the area makes superfluous left
// out where there is one.
func (s *screen) text(lines []Line, withArea bool) string {
	var b strings.Builder
	for _, l := range lines {
		if withArea && l.Passing {
			continue
		}
		for _, p := range l.Parts {
			b.WriteString(s.paint(p.Text, p.Tone))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// fits reports that the area that is there has not been broken into more lines
// by a window made narrower.
func (s *screen) fits(width int) bool { return s.rows(width) == len(s.drawn) }

// rows is how many rows the area that is there takes.
func (s *screen) rows(width int) (n int) {
	for _, columns := range s.drawn {
		n += max((columns+width-1)/max(width, 1), 1)
	}
	return n
}

// erase goes to the area's first row and clears all from there.
func (s *screen) erase(width int) string {
	return "\r" + strings.Repeat(lineUp, s.rows(width)) + clearBelow
}

// fit cuts an area to a width and a height. Figures stay; what runs is counted
// where it has no room.
func fit(a Area, width, height int) []Line {
	figures := a.Figures[:min(len(a.Figures), max(height, 0))]
	running := a.Running
	if room := height - len(figures); len(running) > room {
		running = running[:max(room-1, 0)]
		if room > 0 {
			running = append(running[:len(running):len(running)], line("and %d more", len(a.Running)-len(running)))
		}
	}
	var out []Line
	for _, l := range running {
		out = append(out, Line{Parts: append([]Part{{Text: "  "}}, l.Parts...)}.cut(width))
	}
	for _, l := range figures {
		out = append(out, l.cut(width))
	}
	return out
}
