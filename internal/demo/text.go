package demo

import (
	"fmt"
	"io"
	"strings"

	"checkrein/internal/redact"
)

// Text tells the events in words, on a terminal or in a file.
type Text struct {
	Out    io.Writer
	Colour bool
	Width  int // columns that long texts are folded at

	chapters int
	said     Outcome // of the call before, whose text need not be told twice
}

// Begin writes what the reader should know first.
func (t *Text) Begin() {
	t.line("A scripted agent session, judged by the real hook: one process a call.")
	t.line("No account and no network; all of it happens in a temporary folder.")
}

// BeginDrive is Begin for the test drive.
func (t *Text) BeginDrive() {
	t.line("A test drive on a repository made for it, with scripted stand-ins for the agents.")
	t.line("No account and no network; the commands, copies, tests and verdicts are real, the")
	t.line("stand-ins' edits and dollars are made up. All of it happens in a temporary folder.")
}

// Event writes one event.
func (t *Text) Event(e Event) {
	switch e.Kind {
	case KindChapter:
		t.chapters++
		t.line("\n%s", t.paint(bold, fmt.Sprintf("%d. %s", t.chapters, e.Title)))
	case KindCall:
		t.call(e)
	case KindCommand:
		t.command(e)
	case KindPrompt:
		t.line("  > %s", e.Input)
		t.fold("    ", e.Text)
		t.said = ""
	case KindEnd:
		t.end(e)
	}
}

func (t *Text) call(e Event) {
	mark, colour := "runs", green
	switch e.Outcome {
	case Warned:
		mark, colour = "runs, with a warning", yellow
	case Asked:
		mark, colour = "ASKS THE USER", yellow
	case Blocked:
		mark, colour = "BLOCKED", red
	case TurnEnded:
		mark, colour = "BLOCKED, and the turn ends", red
	}
	t.line("  %7s  %-5s %-24s %s", fmt.Sprintf("$%.2f", e.SpentUSD), e.Tool, e.Input, t.paint(colour, mark))
	if e.Outcome != e.Expected {
		t.line("           %s", t.paint(red, fmt.Sprintf("EXPECTED: %s", e.Expected)))
	}
	if e.Outcome != t.said {
		t.fold("           ", e.Text)
	}
	t.said = e.Outcome
}

func (t *Text) command(e Event) {
	t.line("  $ checkrein %s", e.Input)
	for line := range strings.Lines(e.Text) { // a report of ours, made safe by its maker
		t.line("%s", strings.TrimRight("    "+line, " \n"))
	}
	t.said = ""
}

func (t *Text) end(e Event) {
	if e.Calls == 0 {
		t.driveEnd(e)
		return
	}
	t.line("\n%d tool calls, %.1f ms each in the hook (median, process start included).", e.Calls, e.Millis)
	if e.Wrong > 0 {
		t.line("%s", t.paint(red, fmt.Sprintf("Answers that were not as they should be: %d.", e.Wrong)))
		return
	}
	t.line("%s", t.paint(green, "Every wire fired as it should, and nothing else was touched."))
}

func (t *Text) driveEnd(e Event) {
	if e.Wrong > 0 {
		t.line("\n%s", t.paint(red, fmt.Sprintf("Reports that did not say what they should: %d.", e.Wrong)))
		return
	}
	t.line("\n%s", t.paint(green, "The scoreboard is the one the script makes, and nothing else was touched."))
}

// fold writes a text in lines of the width, indented.
func (t *Text) fold(indent, text string) {
	line := ""
	for _, word := range strings.Fields(redact.Line(text, 2000)) {
		if line != "" && len(indent)+len(line)+1+len(word) > t.Width {
			t.line("%s%s", indent, t.paint(faint, line))
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		t.line("%s%s", indent, t.paint(faint, line))
	}
}

func (t *Text) line(format string, args ...any) { _, _ = fmt.Fprintf(t.Out, format+"\n", args...) }

// Colours as terminals know them.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *Text) paint(colour, text string) string {
	if !t.Colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
