package repo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMainlineMakesOneChangeOfAMerge reads merges both ways, without git and with it.
func TestMainlineMakesOneChangeOfAMerge(t *testing.T) {
	for name, byGit := range map[string]bool{"directly": false, "by git": true} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			h.commit("first", map[string]string{"a.py": "1\n"})
			h.git("checkout", "-q", "-b", "side")
			one := h.commit("one", map[string]string{"side.py": "1\n"})
			h.git("checkout", "-q", "-b", "inner")
			inner := h.commit("inner", map[string]string{"inner.py": "1\n"})
			h.git("checkout", "-q", "side")
			two := h.commit("two", map[string]string{"side.py": "2\n" + strings.Repeat("x\n", 50), "test_side.py": "1\n"})
			h.git("merge", "-q", "--no-ff", "-m", "not on the way", "inner")
			h.git("checkout", "-q", "main")
			plain := h.commit("plain", map[string]string{"b.py": "1\n"})
			h.git("merge", "-q", "--no-ff", "-m", "older", "side")
			older := h.git("rev-parse", "HEAD")
			h.git("checkout", "-q", "-b", "later")
			later := h.commit("later", map[string]string{"c.py": "1\n"})
			h.git("checkout", "-q", "main")
			h.git("merge", "-q", "--no-ff", "-m", "newer", "later")
			newer := h.git("rev-parse", "HEAD")

			r := open(t, h)
			if byGit {
				r.direct.once.Do(func() {})
			}
			commits, err := r.ReadHistory(t.Context(), "2000-01-01", Ahead{Files: 30, Lines: 40, Merges: true})
			if err != nil || len(commits) != 9 {
				t.Fatal(len(commits), err)
			}
			merges := Mainline(commits)
			if err := r.Changes(t.Context(), merges); err != nil {
				t.Fatal(err)
			}
			long, err := r.LongerThan(t.Context(), merges, 40)
			if err != nil {
				t.Fatal(err)
			}
			type brief struct {
				ID, Parent    string
				Merged, Paths []string
				Long          bool
			}
			var got []brief
			for _, m := range merges {
				b := brief{m.ID, m.Parents[0], m.Merged, nil, long[m.ID]}
				for _, ch := range m.Changes {
					b.Paths = append(b.Paths, ch.Path)
				}
				got = append(got, b)
			}
			want := []brief{
				{newer, older, []string{later}, []string{"c.py"}, false},
				{older, plain, []string{two, inner, one}, []string{"inner.py", "side.py", "test_side.py"}, true},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("merges (-want +got):\n%s", diff)
			}
			lines, err := r.Lines(t.Context(), merges)
			if diff := cmp.Diff(map[string]int{"inner.py": 1, "side.py": 51, "test_side.py": 1}, lines[older]); diff != "" || err != nil {
				t.Errorf("%v, lines (-want +got):\n%s", err, diff)
			}
		})
	}
	if Ends(nil) || Ends([]Commit{{ID: "b", Parents: []string{"a"}}}) || !Ends([]Commit{{ID: "b", Parents: []string{"a"}}, {ID: "a"}}) {
		t.Error("where a history ends")
	}
	if got := Mainline(nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
