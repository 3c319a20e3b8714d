package live

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Terminal is where lines go.
type Terminal struct {
	Out    io.Writer
	Live   bool // an area can be drawn again and again
	Colour bool
	Size   func() (columns, rows int) // asked at each drawing, as people resize windows
	Now    func() time.Time
}

// On is the terminal that out is, or else the file or pipe. TERM=dumb and
// NO_COLOR (no-color.org: set, and not empty) mean what they mean everywhere.
func On(out io.Writer, getenv func(string) string, now func() time.Time) Terminal {
	t := Terminal{Out: out, Now: now}
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return t
	}
	if name := getenv("TERM"); name == "" || name == "dumb" {
		return t
	}
	t.Live, t.Colour = true, getenv("NO_COLOR") == ""
	t.Size = func() (columns, rows int) { return size(int(file.Fd())) }
	return t
}

// size is that of a terminal; one that does not know its own gets what has been
// usual since the VT100.
func size(fd int) (columns, rows int) {
	columns, rows, err := term.GetSize(fd)
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// paint gives a part its colour.
func (t Terminal) paint(text string, tone Tone) string {
	code := ""
	switch tone {
	case Good:
		code = "32"
	case Bad:
		code = "31"
	case Odd:
		code = "33"
	case Faint:
		code = "2"
	}
	if !t.Colour || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
