//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const keysQuestion = "[q]uit:"

func (p *place) tasksFile() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.repo, ".harness-test-drive", "tasks.json"))
	p.must(err)
	return string(text)
}

// The view: every key, what it writes at once, and its end.
func TestTasksView(t *testing.T) {
	p := newPlace(t)
	p.mine()
	p.env = append(p.env, "EDITOR=sh "+filepath.Join(p.dir, "bin", "words"))
	p.must(os.WriteFile(filepath.Join(p.dir, "bin", "words"), []byte("echo 'Make the second script end well, as the first one does.' >\"$1\"\n"), 0o755))
	s := p.onScreen("drive", "tasks")
	has(t, s.wait("Task 1 of 2", keysQuestion), "`Mend the second`", "State: kept. Change: ", "because the prompt is terse: 3 words", "  | Mend the second", "Hidden tests: `tests/")
	s.press("x\n")
	s.wait("Type one of the letters in brackets")
	s.press("d\n")
	s.wait("diff --git a/tests/", "\n+")
	s.press("e\n")
	s.wait("asked in these words from now on", "with an edited prompt", "  | Make the second script end well, as the first one does.", "Fair: good.")
	s.press("n\n")
	s.wait("Task 2 of 2")
	s.press("r\n")
	s.wait("Why?")
	s.press("nobody | knows\n")
	s.wait("That was the last task: 1 task to run, 1 rejected.")
	s.end(0)
	if text := p.tasksFile(); !strings.Contains(text, `"choice": "rejected"`) || !strings.Contains(text, `"choice_reason": "nobody | knows"`) {
		t.Errorf("the file does not say so:\n%s", text)
	}
	again := p.onScreen("drive", "tasks")
	again.wait("Task 1 of 2", keysQuestion)
	again.press("n\n")
	again.wait("Task 2 of 2", "State: rejected: nobody / knows")
	again.press("p\n")
	again.waitTimes("Task 1 of 2", 2)
	again.press("a\n")
	again.wait("accepted: `Mend the second`")
	again.press("q\n")
	has(t, again.end(0), "1 task to run, 1 rejected.")

	// What is new in the tests survives a new mining.
	p.mine()
	if text := p.tasksFile(); !strings.Contains(text, "as the first one does.") || strings.Count(text, `"choice"`) != 2 {
		t.Errorf("a new mining has lost it:\n%s", text)
	}
	has(t, p.onScreen("drive", "tasks", "list").end(0), "accepted, edited", "rejected")
}

// Ctrl-C and Ctrl-D end the view; what was decided stays.
func TestTasksViewStopped(t *testing.T) {
	p := newPlace(t)
	p.mine()
	for key, code := range map[string]int{"\x03": 130, "\x04": 0} {
		s := p.onScreen("drive", "tasks")
		s.wait(keysQuestion)
		s.press("a\n")
		s.wait("Task 2 of 2")
		s.press(key)
		s.end(code)
		if text := p.tasksFile(); strings.Count(text, `"accepted"`) != 1 {
			t.Errorf("%q:\n%s", key, text)
		}
	}
}

// The walk offers the view, and has nothing to run when all is rejected there.
func TestWalkOffersTheTasks(t *testing.T) {
	p := newPlace(t)
	p.mine()
	s := p.onScreen("drive")
	s.wait("Use them?")
	s.press("\n")
	s.wait("2 tasks, 2 doubtful; look at them? [y/N]")
	s.press("y\n")
	for range 2 {
		s.wait(keysQuestion)
		s.press("r\n")
		s.wait("Why?")
		s.press("\n")
	}
	has(t, s.end(1), "checkrein: there is nothing to run: every task is rejected\n  try: checkrein drive tasks accept ID")
	if p.started() {
		t.Error("an agent was started")
	}
}
