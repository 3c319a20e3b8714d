package live

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/live/vt"
)

// glass is a terminal of a size, with what was written to it.
type glass struct {
	screen
	bytes.Buffer
	columns, rows int
}

func newGlass(columns, rows int) *glass {
	g := &glass{columns: columns, rows: rows}
	g.Terminal = Terminal{Out: &g.Buffer, Live: true, Size: func() (int, int) { return g.columns, g.rows }}
	return g
}

// shows checks what is on the glass.
func (g *glass) shows(t *testing.T, want ...string) {
	t.Helper()
	got := vt.Play(g.Buffer.String(), g.columns, g.rows, Columns)
	if diff := cmp.Diff(strings.Join(want, "\n"), got.String()); diff != "" {
		t.Errorf("on the screen (-want +got):\n%s", diff)
	}
	if got.Hidden || len(got.Unknown) > 0 {
		t.Errorf("cursor hidden: %v, unknown sequences: %q", got.Hidden, got.Unknown)
	}
}

func said(texts ...string) (out []Line) {
	for _, text := range texts {
		out = append(out, line("%s", text))
	}
	return out
}

func TestFrames(t *testing.T) {
	g := newGlass(30, 8)
	g.draw(said("first"), Area{said("a: works", "b: works"), said("0 of 3")})
	g.shows(t, "first", "  a: works", "  b: works", "0 of 3")
	g.draw(said("a passed"), Area{said("b: works"), said("1 of 3")})
	g.shows(t, "first", "a passed", "  b: works", "1 of 3")
	g.draw(nil, Area{said("b: works, and says so in more than a line", "c: ツツツツツツツツツツツツツツツ"), said("1 of 3")})
	g.shows(t, "first", "a passed", "  b: works, and says so in...", "  c: ツツツツツツツツツツ...", "1 of 3")
	written := g.Len()
	g.draw(nil, Area{said("b: works, and says so in more than a line", "c: ツツツツツツツツツツツツツツツ"), said("1 of 3")})
	if g.Len() != written {
		t.Error("what is there already was drawn again")
	}
	g.draw(said("a line that stays is not cut, as it says why"), Area{})
	g.shows(t, "first", "a passed", "a line that stays is not cut,", "as it says why")
}

// More than the window holds: the figures stay, the rest is counted. What
// scrolls off is whole.
func TestFramesOfALowWindow(t *testing.T) {
	g := newGlass(30, 5)
	many := said("a", "b", "c", "d", "e", "f")
	g.draw(said("1", "2", "3", "4", "5", "6"), Area{many, said("0 of 6")})
	g.shows(t, "1", "2", "3", "4", "5", "6", "  a", "  b", "  and 4 more", "0 of 6")
	g.draw(said("7"), Area{many[1:3], said("1 of 6")})
	g.shows(t, "1", "2", "3", "4", "5", "6", "7", "  b", "  c", "1 of 6")
	g.draw(nil, Area{many, said("x", "y", "z", "not even figures")})
	g.shows(t, "1", "2", "3", "4", "5", "6", "7", "x", "y", "z", "not even figures")
	g.draw(nil, Area{})
	g.shows(t, "1", "2", "3", "4", "5", "6", "7")
}

// A window made narrower breaks the area into more rows; all of them go. (The
// screen of this test breaks its lines from the start.)
func TestFramesOfAWindowMadeNarrower(t *testing.T) {
	g := newGlass(30, 8)
	g.draw(said("first"), Area{said("a: works for a good while"), said("0 of 3")})
	g.columns = 12
	g.draw(nil, Area{said("a: works for a good while"), said("0 of 3")})
	g.shows(t, "first", "  a: wor...", "0 of 3")
}

func TestLinesWhereNoAreaCanBe(t *testing.T) {
	g := newGlass(30, 8)
	g.Live = false
	passing := line("a begins")
	passing.Passing = true
	g.draw([]Line{passing}, Area{said("a: works"), said("0 of 3")})
	g.draw(said("a passed, in a line of more than thirty columns"), Area{})
	if want := "a begins\na passed, in a line of more than thirty columns\n"; g.Buffer.String() != want {
		t.Errorf("wrote %q, want %q", g.Buffer.String(), want)
	}
	g = newGlass(30, 8)
	g.draw([]Line{passing}, Area{said("a: works"), nil})
	g.shows(t, "  a: works")
}

func TestColour(t *testing.T) {
	g := newGlass(30, 8)
	g.Colour = true
	g.draw([]Line{line("a: ").and(Good, "passed").and(Plain, ", $1")}, Area{})
	if !strings.Contains(g.Buffer.String(), "a: \x1b[32mpassed\x1b[0m, $1\n") {
		t.Errorf("wrote %q", g.Buffer.String())
	}
	// A cut leaves no colour on.
	if got := line("a: ").and(Bad, "failed").cut(8); got.String() != "a: fa..." || got.Parts[2].Tone != Plain {
		t.Errorf("cut: %+v", got)
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｱ": 1, "Ａ": 2, "🙂": 2, "─": 1} {
		if got := Columns(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
	for limit, want := range map[int]string{-1: "", 0: "", 2: "..", 3: "...", 4: "...", 5: "日...", 6: "日..."} {
		if got := line("日本語日本語").cut(limit).String(); got != want {
			t.Errorf("cut to %d: %q, want %q", limit, got, want)
		}
	}
}

// counting is a reader that says what it is given, and how much that was.
type counting struct{ n int }

func (c *counting) Take(e string) []Line { c.n++; return said(e) }
func (c *counting) Area(time.Time) Area  { return Area{Figures: said(strings.Repeat("#", c.n))} }

// Nothing that was given is lost, all of it is there when end returns, and the
// area is gone.
func TestWatch(t *testing.T) {
	g := newGlass(30, 8)
	g.Now = time.Now
	take, end := Watch(g.Terminal, &counting{})
	want := []string{}
	for _, text := range strings.Split(strings.Repeat("x", 500), "") {
		take(text)
		want = append(want, text)
	}
	end()
	end()
	g.shows(t, want...)
}

// What came just before the end is shown, whichever of the two is seen first:
// select takes any, so this tries often.
func TestWatchEndsAfterTheLastEvent(t *testing.T) {
	for range 50 {
		g := newGlass(30, 8)
		g.Now = time.Now
		f := &feed[string]{more: make(chan struct{}, 1), over: make(chan struct{}), ended: make(chan struct{})}
		f.take("last")
		close(f.over)
		f.show(&g.screen, &counting{})
		g.shows(t, "last")
	}
}

// held is a terminal that takes nothing more until it is let go.
type held struct{ free chan struct{} }

func (h held) Write(p []byte) (int, error) { <-h.free; return len(p), nil }

// A terminal that a user holds does not hold up the command.
func TestAHeldTerminal(t *testing.T) {
	h := held{make(chan struct{})}
	take, end := Watch(Terminal{Out: h, Now: time.Now}, &counting{})
	for range 5000 {
		take("x")
	}
	close(h.free)
	end()
}
