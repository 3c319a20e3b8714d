package task

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// at makes the next commits some days old.
func (h *history) at(days int) {
	date := fmt.Sprintf("@%d +0000", time.Now().AddDate(0, 0, -days).Unix())
	h.t.Setenv("GIT_COMMITTER_DATE", date)
	h.t.Setenv("GIT_AUTHOR_DATE", date)
}

func (h *history) found(change func(*Options)) (subjects []string, doc *Document) {
	h.t.Helper()
	doc, err := h.mine(func(o *Options) {
		o.Check, o.Grading = false, Auto
		change(o)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, task := range doc.Tasks {
		subjects = append(subjects, task.Subject)
	}
	return subjects, doc
}

// TestMergesAreCountedOnce: a merge is a candidate only where none of its commits is.
func TestMergesAreCountedOnce(t *testing.T) {
	h := newHistory(t)
	branch := func(name string, commits func()) {
		h.git("checkout", "-q", "-b", name)
		commits()
		h.git("checkout", "-q", "main")
		h.git("merge", "-q", "--no-ff", "-m", "Merge branch '"+name+"'\n\nAll of "+name+" (#3)", name)
	}
	half := func(name string) {
		h.commit("Code of "+name, map[string]string{"src/" + name + ".sh": "V=1\n"})
		h.commit("Test of "+name, map[string]string{"tests/" + name + "_test.sh": "true\n"})
	}
	branch("whole", func() { h.fix("one") })
	branch("halves", func() { half("two") })
	branch("mixed", func() { half("three"); h.fix("four") })
	branch("untested", func() { h.commit("Code only", map[string]string{"src/five.sh": "V=1\n"}) })
	got, doc := h.found(same)
	slices.Sort(got) // all are of one second
	if diff := cmp.Diff([]string{"Add four", "Add one", "All of halves"}, got); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
	if want := (Counts{Commits: 8 + 1, Candidates: 3, Skipped: map[string]int{FirstCommit: 1, NoTests: 3, NoSource: 2}, Rejected: map[string]int{}}); !cmp.Equal(want, doc.Counts) {
		t.Errorf("counts %+v", doc.Counts)
	}
	if got, _ := h.found(func(o *Options) { o.Grading = BySuite }); len(got) != 2 || slices.Contains(got, "All of halves") {
		t.Errorf("by suite: %q", got)
	}
}

// TestTheWindowWidens as far as it must, and says so.
func TestTheWindowWidens(t *testing.T) {
	h := newHistory(t) // its first commit is of today: git log goes on behind it
	for _, c := range []struct {
		days int
		name string
	}{{4000, "a"}, {1000, "b"}, {500, "c"}, {100, "d"}} {
		h.at(c.days)
		h.fix(c.name)
	}
	year := func(o *Options) { o.Since, o.Widen = "365d", true }
	for max, want := range map[int]string{1: "365d", 2: "730d", 3: "1825d", 4: All, 9: All} {
		got, doc := h.found(func(o *Options) { year(o); o.Max = max })
		if doc.Since != want || len(got) != min(max, 4) {
			t.Errorf("%d wanted: since %s, %q", max, doc.Since, got)
		}
	}
	_, doc := h.found(year)
	windows := []Window{{"365d", 1, false}, {"730d", 2, false}, {"1825d", 3, false}}
	if diff := cmp.Diff(windows, doc.Widened); diff != "" {
		t.Errorf("widened (-want +got):\n%s", diff)
	}
	if got, doc := h.found(func(o *Options) { o.Since = "365d" }); len(got) != 1 || doc.Widened != nil {
		t.Errorf("a window that was asked for: %q, %+v", got, doc.Widened)
	}
	var steps []Step
	doc, err := h.mine(func(o *Options) {
		year(o)
		o.Grading, o.Max = Auto, 2
		o.Tell = func(p Progress) { steps = append(steps, p.What) }
	})
	if err != nil || doc.Since != "730d" || len(doc.Tasks) != 2 {
		t.Errorf("checked: %v, since %s, %d tasks", err, doc.Since, len(doc.Tasks))
	}
	if steps[0] != Widened || steps[1] != HeadStarted {
		t.Errorf("steps %v", steps)
	}
}

// TestAWindowThatHoldsAllIsTheLast: nothing is said of windows that have no more.
func TestAWindowThatHoldsAllIsTheLast(t *testing.T) {
	h := newHistory(t)
	h.fix("one")
	if _, doc := h.found(func(o *Options) { o.Since, o.Widen = "365d", true }); doc.Since != "365d" || doc.Widened != nil {
		t.Errorf("since %s, %+v", doc.Since, doc.Widened)
	}
}
