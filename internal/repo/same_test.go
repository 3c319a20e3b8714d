package repo

import (
	"strings"
	"testing"
)

// An agent that writes the very file of the fix was once "could not run": its
// content was known from the fix's commit, so it was not stored where git reads.
func TestDiffWhenTheAgentWritesWhatAnotherCommitHolds(t *testing.T) {
	h := newHistory(t)
	first := h.commit("first", map[string]string{"src/a.py": "def a():\n    return 1\n"})
	fix := h.commit("fix", map[string]string{"src/a.py": "def a():\n    return 2\n"})
	r := open(t, h)
	copyOf(t, r, fix) // the fix's contents are known from here on
	ws := copyOf(t, r, first)
	if err := ws.Baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, ws.Dir, map[string]string{"src/a.py": "def a():\n    return 2\n"})
	p, err := ws.Diff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.Lines != 2 || !strings.Contains(string(p.Text), "+    return 2") {
		t.Errorf("%d lines in\n%s", p.Lines, p.Text)
	}
	sameAfterApply(t, ws, first, p)
}
