package task

import (
	"slices"
	"strings"

	"checkrein/internal/fair"
)

// Decisions about a task, by a person.
const (
	Accepted = "accepted"
	Refused  = "rejected"
)

// Review is what people made of a task. A new mining keeps it.
type Review struct {
	Prompt string `json:"prompt,omitzero"`        // in place of the message and of the names
	Choice string `json:"choice,omitzero"`        // Accepted, Refused, or "" for none
	Why    string `json:"choice_reason,omitzero"` // of Refused; untrusted
}

// Runs reports whether agents may be run on a task.
func (t Task) Runs() bool { return t.Validated && t.Choice != Refused }

// KeepReviews takes over what people made of the tasks of an older document.
func (d *Document) KeepReviews(old Document) {
	reviews := map[string]Review{}
	for _, t := range old.Tasks {
		reviews[t.Commit] = t.Review
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if t.Review = reviews[t.Commit]; t.Prompt != "" {
			t.Rescore()
		}
	}
}

// Rescore makes the score again after a change of the prompt.
func (t *Task) Rescore() {
	if t.Fair == nil {
		return
	}
	score := *t.Fair
	score.Edited = t.Prompt != ""
	subject, body := t.Subject, t.Body
	score.Hinted = len(t.Hints) > 0
	if score.Edited {
		subject, body, _ = strings.Cut(t.Prompt, "\n")
		score.Hinted = !slices.ContainsFunc(score.Names, func(n fair.Name) bool { return !fair.Says(t.Prompt, n.Name) })
	}
	score.Prompt = fair.ReadPrompt(subject, body, t.GoldFiles)
	score = score.Judged()
	t.Fair = &score
}
