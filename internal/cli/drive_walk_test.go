//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// started reports whether an agent was started.
func (p *place) started() bool {
	p.t.Helper()
	_, err := os.Stat(filepath.Join(p.repo, ".harness-test-drive", "results.jsonl"))
	return err == nil
}

const lookQuestion = "look at them? [y/N]"

const capQuestion = "How many dollars may they spend at most? (Enter alone: none, stop here) $"

// The whole walk: tasks that are there, an estimate, a cap that must be one,
// the runs and the scoreboard.
func TestWalk(t *testing.T) {
	p := newPlace(t)
	p.mine()
	s := p.onScreen("drive")
	has(t, s.wait("Use them? [Y/n]"), "Step 1 of 4: 2 tasks already checked, in .harness-test-drive/tasks.json.")
	s.press("\n")
	s.wait("2 tasks, 2 doubtful; look at them? [y/N]")
	s.press("\n")
	s.wait("$ checkrein drive estimate --harness claude-code", capQuestion)
	for n, wrong := range []string{"abc", "0", "-5", "$-5", "1e3", "inf", "5,50", "1000000"} {
		s.press(wrong + "\n")
		s.waitTimes("That is no amount above zero. Type dollars in digits, such as 5 or 7.50.", n+1)
		s.waitTimes(capQuestion, n+2)
	}
	if p.started() {
		t.Error("something was started for a cap that is none")
	}
	s.press("$5\n")
	has(t, s.end(0), "$ checkrein drive run --harness claude-code --max-usd 5\n", "[2/2] Claude Code on ", "$0.50 of $5.00 spent",
		"Claude Code passed 0", "Step 4 of 4", "  checkrein drive report")
	again := p.onScreen("drive")
	again.wait("Use them?")
	again.press("y\n")
	again.wait(lookQuestion)
	again.press("n\n")
	again.wait(capQuestion)
	again.press("7.50\n")
	has(t, again.end(0), "--max-usd 7.5\n", "Claude Code passed 0")
}

// The walk mines where nothing is mined yet, from anywhere in the repository.
func TestWalkFromTheStart(t *testing.T) {
	p := newPlace(t)
	p.standIn("")
	p.folder = "tests"
	s := p.onScreen("drive")
	s.wait("Step 1 of 4: tasks from this repository's history.", "$ checkrein drive mine --validate\n", "Found 2 tasks", lookQuestion)
	s.press("\n")
	s.wait("$ checkrein drive estimate --harness claude-code --tasks ../.harness-test-drive/", capQuestion)
	s.press("\n")
	has(t, s.end(0), "No agent was started. To go on later: checkrein drive run --harness claude-code --max-usd DOLLARS --t")
	if _, err := os.Stat(filepath.Join(p.repo, "tests", ".harness-test-drive")); err == nil {
		t.Error("there is a folder of the test drive in a folder of the repository")
	}
}

// Ctrl-C and Ctrl-D at each question: no agent is started.
func TestWalkWithoutAnAnswer(t *testing.T) {
	p := newPlace(t)
	p.mine()
	for _, c := range []struct {
		answers, key string
		code         int
		says         string
	}{
		{"", "\x03", 130, "checkrein: stopped: no agent was started\n  try: checkrein drive estimate"},
		{"", "\x04", 2, "checkrein: no answer, so no agent was started\n  try: checkrein drive estimate"},
		{"\n", "\x03", 130, "checkrein: stopped: no agent was started\n  try: checkrein drive tasks"},
		{"\n\n", "\x03", 130, "checkrein: stopped: no agent was started\n  try: checkrein drive run --harness claude-code --max-usd DOLLARS"},
		{"\n", "\x04", 2, "checkrein: no answer, so no agent was started\n  try: checkrein drive tasks"},
		{"\n\n", "\x04", 2, "checkrein: no answer, so no agent was started\n  try: checkrein drive run --harness claude-code --max-usd DOLLARS"},
	} {
		s := p.onScreen("drive")
		for i, question := range []string{"Use them?", lookQuestion, capQuestion}[:len(c.answers)+1] {
			if s.wait(question); i < len(c.answers) {
				s.press("\n")
			}
		}
		s.press(c.key)
		shown := s.end(c.code)
		has(t, shown, c.says)
		if p.started() || strings.Contains(shown, "Checking that") {
			t.Errorf("%+v: something was started:\n%s", c, shown)
		}
	}
}

func TestWalkWithoutWhatItNeeds(t *testing.T) {
	p := newPlace(t)
	has(t, p.onScreen("drive").end(2), "none of the agents that can be driven is on PATH", "try: checkrein drive demo")
	p.standIn("")
	p.commit("Break all", map[string]string{"one.sh": "exit 1\n"})
	has(t, p.onScreen("drive").end(2), "the test command fails at HEAD")
	p.repo = p.dir
	has(t, p.onScreen("drive").end(2), "is not a git repository")
}
