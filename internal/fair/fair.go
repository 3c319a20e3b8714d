// Package fair judges whether a task can be solved by what an agent is given of
// it: the repository before the change, and the prompt.
//
// The main thing is names. Hidden tests that use a name which only the change
// itself gives can be passed by luck alone. Such names are found in what a run
// of the hidden tests without the change complains of (missing.go) and kept when
// the change adds them and the prompt does not say them (hidden.go). The rest is
// a score: how much the prompt says (prompt.go), how large the change is, how
// much the tests pin down (brittle.go).
//
// The package is pure, and every text it reads is untrusted.
package fair

import (
	"fmt"
	"strings"
)

// How fair a task is, in one word.
const (
	Good     = "good"
	Doubtful = "doubtful"
	Poor     = "poor"
)

// Bounds of a change that an agent can be expected to make from a message.
const (
	hugeLines = 300
	hugeFiles = 12
)

// Score is what speaks for and against a task.
type Score struct {
	Word    string   `json:"word"`
	Reasons []string `json:"reasons,omitzero"` // against it; names in them are untrusted

	Prompt    Prompt  `json:"prompt"`
	Lines     int     `json:"gold_lines"`
	Files     int     `json:"gold_files"`
	Names     []Name  `json:"hidden_names,omitzero"`      // what the tests need and nothing gives
	Hinted    bool    `json:"hinted,omitzero"`            // the prompt gives those names
	Brittle   Brittle `json:"brittle,omitzero"`           // lines of the hidden tests that pin down too much
	NoResults bool    `json:"no_results_before,omitzero"` // without the change some of the hidden tests don't start
	Telling   int     `json:"telling_tests,omitzero"`     // tests that tell; 0 where the whole suite decides
	Edited    bool    `json:"edited_prompt,omitzero"`     // the prompt is a person's
}

// sign is one thing against a task, and how much it weighs.
type sign struct {
	weight int
	why    string
}

// Judged is the score with its word and its reasons.
func (s Score) Judged() Score {
	s.Word, s.Reasons = Good, nil
	weight := 0
	for _, sign := range s.signs() {
		weight += sign.weight
		s.Reasons = append(s.Reasons, sign.why)
	}
	switch {
	case weight >= poorWeight:
		s.Word = Poor
	case weight >= doubtfulWeight:
		s.Word = Doubtful
	}
	return s
}

const (
	doubtfulWeight = 2
	poorWeight     = 4
)

func (s Score) signs() (out []sign) {
	add := func(is bool, weight int, format string, args ...any) {
		if is {
			out = append(out, sign{weight, fmt.Sprintf(format, args...)})
		}
	}
	list := make([]string, len(s.Names))
	for i, n := range s.Names {
		list[i] = n.Name
	}
	names := strings.Join(list, ", ")
	add(len(list) > 0 && !s.Hinted, poorWeight, "the tests use names that nothing gives: %s", names)
	add(len(list) > 0 && s.Hinted, 1, "the prompt names what the tests use: %s", names)
	add(s.Prompt.Tier == Terse, 2, "the prompt is terse: %d words", s.Prompt.Words)
	add(s.Lines > hugeLines || s.Files > hugeFiles, 2, "the change is huge: %d lines in %d files", s.Lines, s.Files)
	out = append(out, s.Brittle.signs()...)
	add(s.NoResults, 1, "hidden tests don't even start before the change")
	return out
}
