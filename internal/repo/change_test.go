package repo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPiecesOfAChange(t *testing.T) {
	h := newHistory(t)
	parent := h.commit("first", map[string]string{"a.py": "one\ntwo\n", "odd \"name\"\n.py": "1\n", "gone.py": "x\n"})
	if err := os.Remove(filepath.Join(h.dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	commit := h.commit("second", map[string]string{
		"a.py": "one\n+++ b/x\ntwo\r\ndiff --git a/x b/x\n", "odd \"name\"\n.py": "1\n2\n", "new.py": "n\n",
		".gitattributes": "*.py diff=evil\n",
	})
	h.git("config", "diff.evil.textconv", "touch ran; cat")
	h.git("config", "diff.evil.command", "touch ran")
	pieces, err := open(t, h).Pieces(t.Context(), parent, commit, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, p := range pieces {
		if p.New != (p.Path == "new.py" || p.Path == ".gitattributes") {
			t.Errorf("%s is new: %v", p.Path, p.New)
		}
		got[p.Path] = p.Added()
	}
	want := map[string][]string{
		".gitattributes": {"*.py diff=evil"}, "a.py": {"+++ b/x", "two", "diff --git a/x b/x"},
		"gone.py": nil, "new.py": {"n"}, "odd \"name\"\n.py": {"2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("added (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "ran")); err == nil {
		t.Error("a program of the repository's ran")
	}
}

func TestHasWord(t *testing.T) {
	h := newHistory(t)
	old := h.commit("first", map[string]string{"a.py": "def read_nth(): pass\n", "b.rb": "def empty?; end\n"})
	h.commit("second", map[string]string{"a.py": "def later(): pass\n"})
	r := open(t, h)
	for word, want := range map[string]bool{"read_nth": true, "read": false, "empty?": true, "later": false, "-e": false, "def": true} {
		if got, err := r.HasWord(t.Context(), old, word); err != nil || got != want {
			t.Errorf("%s: %v %v", word, got, err)
		}
	}
	if _, err := r.HasWord(t.Context(), "0123456789012345678901234567890123456789", "x"); err == nil {
		t.Error("a commit that is not there has no word, and no error")
	}
}
