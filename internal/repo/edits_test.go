package repo

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEachEditReadsBothSides(t *testing.T) {
	for name, byGit := range map[string]bool{"directly": false, "by git": true} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			h.commit("first", map[string]string{"a.rs": "1\n", "b.rs": "1\n", "c.py": "1\n"})
			h.commit("second", map[string]string{"a.rs": "2\n", "b.rs": "", "c.py": "2\n", "d.rs": "1\n"})
			r := open(t, h)
			if byGit {
				r.direct.once.Do(func() {})
			}
			commits := changes(t, r)
			got := map[int][]Edited{}
			var mu sync.Mutex
			err := r.EachEdit(t.Context(), commits, func(p string) bool { return strings.HasSuffix(p, ".rs") }, func(i int, files []Edited) {
				mu.Lock()
				defer mu.Unlock()
				got[i] = files
			})
			want := map[int][]Edited{0: {{"a.rs", "1\n", "2\n"}, {"b.rs", "1\n", ""}, {"d.rs", "", "1\n"}}, 1: nil}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestEditStaysInTheCopy: what is no plain file on both sides stays as it is.
func TestEditStaysInTheCopy(t *testing.T) {
	h := newHistory(t)
	commit := h.commit("first", map[string]string{"a.rs": "+1\n", "dir/b.rs": "1\n", "link.rs": "→a.rs", "gone.rs": "1\n", "led.rs": "1\n"})
	ws := copyOf(t, open(t, h), commit)
	outside := filepath.Join(t.TempDir(), "x")
	for _, err := range []error{
		os.WriteFile(outside, []byte("outside"), 0o600), os.Remove(filepath.Join(ws.Dir, "gone.rs")), os.Remove(filepath.Join(ws.Dir, "led.rs")),
		os.Symlink(outside, filepath.Join(ws.Dir, "led.rs")), os.WriteFile(filepath.Join(ws.Dir, "a.rs"), []byte("mine\n"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	err := ws.Edit(t.Context(), commit, []string{"a.rs", "dir/b.rs", "link.rs", "gone.rs", "led.rs", "unknown.rs", "../x"}, func(here, there string) string { return here + there })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.rs": "+mine\n1\n", "dir/b.rs": "1\n1\n", "link.rs": "→a.rs", "led.rs": "→" + outside}
	if diff := cmp.Diff(want, files(t, ws.Dir)); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	if data, _ := os.ReadFile(outside); string(data) != "outside" {
		t.Errorf("outside: %s", data)
	}
}
