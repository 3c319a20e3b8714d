package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Not even a date in the user's repository may change. Git gives an object of an
// alternate a new one when it would have written the same.
func TestTheRepositoryIsOnlyRead(t *testing.T) {
	h := newHistory(t)
	first := h.commit("first", map[string]string{"src/a.py": "a\n", "tests/test_a.py": "a\n"})
	second := h.commit("second", map[string]string{"src/a.py": "b\n"})
	old := time.Now().Add(-time.Hour)
	before := dates(t, h.dir, func(path string) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	})
	r := open(t, h)
	for _, commit := range []string{first, second} {
		ws := copyOf(t, r, commit)
		if err := ws.Baseline(t.Context()); err != nil {
			t.Fatal(err)
		}
		write(t, ws.Dir, map[string]string{"src/a.py": "b\n"})
		if _, err := ws.Diff(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, dates(t, h.dir, func(string) {})); diff != "" {
		t.Error(diff)
	}
}

// dates are those of every file and folder below dir, after first was called
// with it.
func dates(t *testing.T, dir string, first func(path string)) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		first(path)
		info, err := os.Lstat(path)
		if err == nil {
			all[path] = info.ModTime()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
