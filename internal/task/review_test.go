package task

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/fair"
)

const reviewed = `{"schema": "s", "newer": {"a": [1.50, "\udce9"]}, "tasks": [
  {"id": "aaaa", "hidden_tests": ["caf\udce9"], "also": 1, "choice": "rejected", "choice_reason": "x"},
  {"id": "bbbb", "check": {"unknown": true}}
], "last": null}`

func TestRewriteKeepsEverythingElse(t *testing.T) {
	var doc Document
	if err := doc.Unmarshal([]byte(reviewed)); err != nil {
		t.Fatal(err)
	}
	one, two := doc.Tasks[0], doc.Tasks[1]
	one.Review = Review{Choice: Accepted}
	two.Review = Review{Prompt: "Do \"it\"\n", Choice: Refused, Why: "no"}
	two.Fair = &fair.Score{Word: fair.Good}
	got, err := Rewrite([]byte(reviewed), []Task{one, two})
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{`"a": [`, "1.50,", `"\udce9"`, `"caf\udce9"`, `"also": 1`, `"unknown": true`, `"last": null`, `"prompt": "Do \"it\"\n"`} {
		if !strings.Contains(string(got), kept) {
			t.Errorf("%s is gone:\n%s", kept, got)
		}
	}
	var again Document
	if err := again.Unmarshal(got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Review{one.Review, two.Review}, []Review{again.Tasks[0].Review, again.Tasks[1].Review}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again.Tasks[1].Fair == nil || again.Tasks[0].Fair != nil || again.Tasks[0].HiddenTests[0] != "caf\xe9" {
		t.Errorf("%+v", again.Tasks)
	}
}

func TestRewriteRefusesWhatIsNoTasksFile(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"tasks": {}}`, `{"tasks": [1]}`, `{"tasks": [{"id": "a"}`} {
		if got, err := Rewrite([]byte(text), []Task{{ID: "a"}}); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A new mining keeps what people decided, and scores their words.
func TestKeepReviews(t *testing.T) {
	names := []fair.Name{{Name: "readNth", File: "a.go"}}
	old := Document{Tasks: []Task{
		{Candidate: Candidate{Commit: "1"}, Review: Review{Prompt: "Give the third line by readNth, which counts from one.", Choice: Accepted}},
		{Candidate: Candidate{Commit: "2"}, Review: Review{Choice: Refused, Why: "no"}},
		{Candidate: Candidate{Commit: "gone"}, Review: Review{Choice: Refused}},
	}}
	doc := Document{Tasks: []Task{{Candidate: Candidate{Commit: "2"}}, {Candidate: Candidate{Commit: "1"}, Fair: &fair.Score{Names: names}}, {Candidate: Candidate{Commit: "3"}}}}
	doc.Tasks[1].Rescore()
	if word := doc.Tasks[1].Fair.Word; word != fair.Poor {
		t.Fatalf("a name that nothing gives is %s", word)
	}
	doc.KeepReviews(old)
	if doc.Tasks[0].Review != old.Tasks[1].Review || doc.Tasks[1].Review != old.Tasks[0].Review || doc.Tasks[2].Review != (Review{}) {
		t.Errorf("%+v", doc.Tasks)
	}
	if s := doc.Tasks[1].Fair; !s.Edited || !s.Hinted || s.Word != fair.Good {
		t.Errorf("words that give the name: %+v", s)
	}
}

func TestWhatRuns(t *testing.T) {
	for _, c := range []struct {
		task Task
		runs bool
	}{
		{Task{}, false},
		{Task{Validated: true}, true},
		{Task{Validated: true, Review: Review{Choice: Accepted}}, true},
		{Task{Validated: true, Review: Review{Choice: Refused}}, false},
		{Task{Review: Review{Choice: Accepted}}, false}, // nobody can vouch for tests that never ran
	} {
		if got := c.task.Runs(); got != c.runs {
			t.Errorf("%+v: %v", c.task, got)
		}
	}
}
