//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lasting is a screen with times and ids left out, from its first line that
// starts so.
func lasting(shown, from string) string {
	for pattern, with := range map[string]string{`\b\d+ s\b`: "N s", `\b[0-9a-f]{7}\b`: "COMMIT"} {
		shown = regexp.MustCompile(pattern).ReplaceAllString(shown, with)
	}
	if i := strings.Index(shown, from); i >= 0 {
		return shown[i:]
	}
	return shown
}

func has(t *testing.T, shown string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			t.Errorf("the screen lacks %q:\n%s", text, shown)
		}
	}
}

func TestMineOnATerminal(t *testing.T) {
	p := newPlace(t)
	wait, open := p.gate("go-on")
	s := p.onScreen("drive", "mine", "--validate", "--seal", "off", "--test-cmd", `[ -e .git ] || true; [ "$(cat two.sh)" = "exit 0" ] || { `+wait+`; }; sh tests/run.sh`)
	shown := s.wait("Checking that the tests pass at HEAD", "They pass, after", ": tests before the change, ", "none checked yet; ")
	has(t, shown, "`Mend the second`")
	s.wait("`Say it otherwise`")
	open()
	want := "They pass, after N s\n" +
		"1 of at most 3: COMMIT kept (kept 1 of 10 wanted)  `Mend the second`\n" +
		"2 of at most 3: COMMIT not kept: tests pass before the fix (kept 1 of 10 wanted)"
	has(t, lasting(s.end(0), "They pass"), want, "3 of at most 3: COMMIT kept (kept 2 of 10 wanted)  `Mend the first ツ`\n**Found 2 tasks")
	p.tidy()
}

// Ctrl-C while candidates are checked: nothing is left, on the disk or on the
// screen.
func TestMineStoppedOnATerminal(t *testing.T) {
	p := newPlace(t)
	wait, _ := p.gate("never")
	s := p.onScreen("drive", "mine", "--validate", "--seal", "off", "--test-cmd", `[ "$(cat two.sh)" = "exit 0" ] || { `+wait+`; }; sh tests/run.sh`)
	s.wait(": tests before the change, ")
	s.press("\x03")
	has(t, s.end(130), "They pass, after", "checkrein: stopped: the temporary copies are deleted")
	p.tidy()
}

func TestRunOnATerminal(t *testing.T) {
	p := newPlace(t)
	p.mine()
	wait, open := p.gate("go-on")
	p.standIn(`echo '{"type":"assistant","message":{"id":"m1","model":"claude-opus-5-5","usage":{"output_tokens":1000}}}'
case "$*" in *second*) echo exit 0 >two.sh;; *) ` + wait + `;; esac`)
	s := p.onScreen("drive", "run", "--harness", "claude-code", "--seal", "off", "--max-usd", "5")
	shown := s.wait("passed in", "agent at work", " used", "1 of 2 done (1 passed), 1 running, 0 left")
	want := "[1/2] Claude Code on COMMIT: passed in N s, $0.25 counted, $0.25 of $5.00 spent\n" +
		"  [2/2] Claude Code on COMMIT: agent at work, N s, "
	has(t, lasting(shown, "[1/2]"), want, "$0.25 of $5.00 charged, $", " reserved, $")
	if got := strings.Count(shown, "[1/2]"); got != 1 {
		t.Errorf("%d lines of the first trial:\n%s", got, shown)
	}
	open()
	has(t, lasting(s.end(0), "[1/2]"), "[2/2] Claude Code on COMMIT: failed in N s, $0.25 counted, $0.50 of $5.00 spent\n"+
		"Results: `.harness-test-drive/results.jsonl`\n**On 2 tasks from your git history, Claude Code passed 1 at $0.50 each.**")
	p.tidy()
}

// Ctrl-C while an agent works: its end is waited for and recorded, and said.
func TestRunStoppedOnATerminal(t *testing.T) {
	p := newPlace(t)
	p.mine()
	wait, _ := p.gate("never")
	p.standIn(`trap '' INT TERM; ` + wait)
	s := p.onScreen("drive", "run", "--harness", "claude-code", "--seal", "off", "--max-usd", "5", "--jobs", "1")
	s.wait("agent at work")
	s.press("\x03")
	shown := s.end(130)
	has(t, shown, "interrupted (`stopped by the user`)", "checkrein: stopped; what ran is recorded with its spend")
	log, err := os.ReadFile(filepath.Join(p.repo, ".harness-test-drive", "events.jsonl"))
	if err != nil || !strings.Contains(string(log), `"event":"stopping"`) {
		t.Errorf("the log does not say that the user stopped it: %v\n%s", err, log)
	}
	p.tidy()
}

// mine fills the place with tasks.
func (p *place) mine() {
	p.t.Helper()
	p.standIn("")
	p.onScreen("drive", "mine", "--validate", "--seal", "off", "--test-cmd", "sh tests/run.sh").end(0)
}

// NO_COLOR takes the colours out and leaves the area; TERM=dumb gets lines.
func TestColourlessAndDumbTerminals(t *testing.T) {
	p := newPlace(t)
	p.mine()
	const red, clear = "\x1b[31mfailed\x1b[0m", "\x1b[J"
	for _, c := range []struct {
		term, noColour string
		colour, area   bool
	}{{"xterm", "", true, true}, {"xterm", "1", false, true}, {"dumb", "", false, false}, {"", "", false, false}} {
		p.must(os.RemoveAll(filepath.Join(p.repo, ".harness-test-drive", "results.jsonl")))
		p.term, p.env = c.term, append(p.env, "NO_COLOR="+c.noColour)
		s := p.onScreen("drive", "run", "--harness", "claude-code", "--seal", "off", "--max-usd", "5")
		has(t, s.end(0), "failed in")
		written := s.all.String()
		if strings.Contains(written, red) != c.colour || strings.Contains(written, clear) != c.area {
			t.Errorf("%+v: %q", c, written)
		}
		if begins := regexp.MustCompile(`(?m)^\[1/2\] Claude Code on \w+: .Mend`).MatchString(written); begins == c.area {
			t.Errorf("%+v: a line for the begin of a trial: %v", c, begins)
		}
	}
}
