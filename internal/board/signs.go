package board

import (
	"fmt"
	"strings"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// maxSigns is how many files and signs are listed for one result.
const maxSigns = 20

// safeSigns are a record's files that were put back and its signs, as plain text.
func safeSigns(r trial.Record) (putBack []string, signs []trial.Sign) {
	for _, what := range r.PutBack[:min(len(r.PutBack), maxSigns)] {
		putBack = append(putBack, redact.Line(what, 160))
	}
	for _, s := range r.Signs[:min(len(r.Signs), maxSigns)] {
		signs = append(signs, trial.Sign{Kind: redact.Line(s.Kind, 40), What: redact.Line(s.What, 160)})
	}
	return putBack, signs
}

// signs lists, by task and harness, what was put back and what to look at.
func (b Board) signs() string {
	var list strings.Builder
	for _, t := range b.Tasks {
		for _, r := range b.Rows {
			if parts := signsOf(t.Results[r.Variant]); len(parts) > 0 {
				fmt.Fprintf(&list, "- %s, %s: %s\n", redact.Code(t.Task[:min(len(t.Task), 7)], 40), r.shown, strings.Join(parts, "; "))
			}
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return "Put back before the score, and what to look at:\n\n" + list.String()
}

func signsOf(r Result) (parts []string) {
	if len(r.PutBack) > 0 {
		parts = append(parts, "put back "+inCode(r.PutBack))
	}
	for i := 0; i < len(r.Signs); {
		kind := r.Signs[i].Kind
		var what []string
		for ; i < len(r.Signs) && r.Signs[i].Kind == kind; i++ {
			what = append(what, r.Signs[i].What)
		}
		parts = append(parts, signWords(kind)+" "+inCode(what))
	}
	return parts
}

// signWords are the words for a kind; what is not one of ours is shown as such.
func signWords(kind string) string {
	switch kind {
	case trial.EditedTest, trial.Outside, trial.Network, trial.WebTool:
		return kind
	}
	return redact.Code(kind, 40)
}
