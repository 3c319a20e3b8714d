// Package task finds tasks for agents in a repository's own history.
//
// A task is a past commit that changed both source files and test files. Its
// message is what an agent is asked, its test files are hidden from the agent,
// and the rest of the change is the gold patch. Checking keeps only tasks whose
// tests fail before the change and pass after it, twice. Where the test runner
// reports each test, single tests can decide instead of the whole suite: see
// grading.go and graded.go.
//
// The rules (class.go, message.go, candidate.go, detect.go) are pure. The parts
// that touch the disk (mine.go, check.go, run.go) read the user's repository
// only through package repo and run commands only through package proc.
package task

import (
	"checkrein/internal/fair"
	"checkrein/internal/proc"
	"checkrein/internal/setup"
)

// Schema is the schema of tasks.json.
const Schema = "harness-test-drive/tasks/1"

// Document is tasks.json. Text from commits in it is as the commits have it:
// make it safe before showing it.
type Document struct {
	Schema        string       `json:"schema"`
	Repo          string       `json:"repo"`  // top folder of the repository
	Head          string       `json:"head"`  // commit that was checked out
	Since         string       `json:"since"` // as the user gave it, or how far back was looked
	Created       string       `json:"created"`
	TestCmd       string       `json:"test_cmd"`
	TestCmdSource string       `json:"test_cmd_source"` // the file it was detected from, or the flag
	SetupCmd      string       `json:"setup_cmd"`       // "" for none
	TestTimeout   int          `json:"test_timeout"`    // seconds, for each setup and test run
	HeadCheck     *proc.Result `json:"head_check"`      // nil without checking
	Counts        Counts       `json:"counts"`
	CheckSeconds  *float64     `json:"validation_seconds"` // nil without checking
	Sealed        *bool        `json:"sealed,omitzero"`    // it was checked behind a wall; nil where none was asked for
	WhyOpen       string       `json:"sealed_why_not,omitzero"`
	Setups        setup.Counts `json:"setups,omitzero"` // of its checking
	Tasks         []Task       `json:"tasks"`
	Grading       *Grading     `json:"grading,omitzero"` // nil: by suite
	Rules         Rules        `json:"rules,omitzero"`
	Path          string       `json:"path,omitzero"`    // folder that changes had to be in; "" for any
	Widened       []Window     `json:"widened,omitzero"` // windows that gave too few, the narrowest first
	Dropped       []Dropped    `json:"dropped,omitzero"` // left out for names that nothing gives
}

// Window is how far back was looked, and what that gave.
type Window struct {
	Since   string `json:"since"`
	Gave    int    `json:"gave"`
	Checked bool   `json:"checked,omitzero"` // tasks; else candidates
}

// Counts tells what became of the commits that were looked at.
type Counts struct {
	Commits    int            `json:"commits"`
	Candidates int            `json:"candidates"`
	Skipped    map[string]int `json:"skipped"` // commits that are no candidates, by reason
	Checked    int            `json:"checked"`
	Validated  int            `json:"validated"`
	Rejected   map[string]int `json:"rejected"` // checked candidates that were not kept, by reason
}

// Task is one task.
type Task struct {
	ID      string `json:"id"` // the first 12 characters of the commit
	Subject string `json:"subject"`
	Body    string `json:"body"` // without trailers
	Candidate
	Validated bool   `json:"validated"`
	Check     Runs   `json:"check"`
	Grade     *Grade `json:"grade,omitzero"` // nil: by suite

	Fair  *fair.Score `json:"fair,omitzero"`  // nil: not checked
	Hints []fair.Name `json:"hints,omitzero"` // names that the prompt gives beside the message
	Review
}

// Candidate is a commit that can become a task.
type Candidate struct {
	Commit      string   `json:"commit"`
	Parent      string   `json:"parent"`
	HiddenTests []string `json:"hidden_tests"` // the test files it changes
	GoldFiles   []string `json:"gold_files"`   // the other files it changes

	HiddenInline []string `json:"hidden_inline,omitzero"` // those of them whose tests inside are hidden
	NewInline    []string `json:"-"`                      // those that it adds, with tests inside: they grade nobody

	// Lent are data files among GoldFiles that the hidden tests name, and nobody could
	// know of: they are put beside the tests.
	Lent []string `json:"lent,omitzero"`

	GoldLines int `json:"gold_lines"` // lines added plus deleted in its source and other files
}

// Runs are the test runs of a check, each nil when it did not come to it.
type Runs struct {
	Before      *proc.Result `json:"before,omitzero"`       // the parent with the hidden tests
	After       *proc.Result `json:"after,omitzero"`        // the whole commit
	BeforeAgain *proc.Result `json:"before_again,omitzero"` // the parent's files once more
	AfterAgain  *proc.Result `json:"after_again,omitzero"`
}
