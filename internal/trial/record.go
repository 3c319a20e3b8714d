package trial

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/grade"
	"checkrein/internal/harness"
)

// Schema is the schema of a line in results.jsonl. Fields after diff are ours;
// readers of the schema pass over them.
const Schema = "harness-test-drive/result/1"

// How a run of a trial ended.
const (
	Passed      = "passed"      // the tests pass with the agent's changes
	Failed      = "failed"      // they do not
	Error       = "error"       // it could not run, so it is not scored
	Interrupted = "interrupted" // it was stopped, and will be run again
	Invalid     = "invalid"     // the tests said nothing of the changes, twice; it is not scored
)

// Record is one run of one trial: a line in results.jsonl. Nil pointers mean
// unknown. Text from agents and commits in it was made safe to show.
type Record struct {
	Schema       string   `json:"schema"`
	Task         string   `json:"task"`
	Commit       string   `json:"commit"`
	Subject      string   `json:"subject"`
	GoldLines    *int     `json:"gold_lines"`
	Harness      string   `json:"harness"`
	Label        string   `json:"label"`
	Version      string   `json:"version"`
	Started      string   `json:"started"` // UTC, to the second
	Status       string   `json:"status"`
	TimedOut     bool     `json:"timed_out"`
	ExitCode     *int     `json:"exit_code"` // of the agent
	Error        string   `json:"error"`
	Hint         string   `json:"hint"` // the fix, where the error will come back on every task
	AgentSeconds *float64 `json:"agent_seconds"`
	TestSeconds  *float64 `json:"test_seconds"`
	Cost         *float64 `json:"cost_usd"`
	CostSource   *string  `json:"cost_source"`
	Charged      float64  `json:"charged_usd"` // what the cap counts
	Tokens       *Tokens  `json:"tokens"`
	Model        string   `json:"model"`
	Turns        *int     `json:"turns"`
	Denials      int      `json:"denials"`
	TestRuns     *int     `json:"test_runs"` // the agent's own runs of the test command
	TestFailures *int     `json:"test_failures"`
	LinesChanged *int     `json:"lines_changed"`
	FilesTouched *int     `json:"files_touched"`
	Log          string   `json:"log"`
	Diff         string   `json:"diff"`
	Workspace    string   `json:"workspace,omitzero"` // the copy, where it was kept

	Run      string   `json:"run,omitzero"`          // unique to this run; "" in records of other programs
	Variant  string   `json:"variant,omitzero"`      // the variant's name; "" means the harness's
	Attempt  int      `json:"attempt,omitzero"`      // from 1; 0 means 1
	Spec     *Variant `json:"variant_spec,omitzero"` // how the variant is set up
	Reserved *float64 `json:"reserved_usd,omitzero"` // what it was allowed to spend
	CutShort string   `json:"cut_short,omitzero"`    // harness.ByHook or ByBudget

	Grade   *grade.Verdict `json:"grade,omitzero"`          // what single tests said; nil where the whole suite decided
	PutBack []string       `json:"put_back,omitempty"`      // files that decide how tests run, with the sections where not whole: undone before the score
	Signs   []Sign         `json:"signs,omitempty"`         // what a reader should look at; no verdict follows from it
	Sealed  *bool          `json:"sealed,omitzero"`         // it ran behind a wall; nil where none was asked for
	WhyOpen string         `json:"sealed_why_not,omitzero"` // why it did not

	Asked    string `json:"request_sha256,omitzero"` // RequestHash of what was asked for; "" in older records, which asked by the message
	PromptBy string `json:"request_by,omitzero"`     // ByHints, ByEdit, or "" for the commit's message
	Fair     string `json:"fair,omitzero"`           // how fair the task is, in a word; "" where that was not looked at
}

// What a request is, where it is not a commit's message.
const (
	ByHints = "hints"  // the message, and names
	ByEdit  = "edited" // a person's words
)

// SameRequest tells whether a run was asked what the hash stands for. Runs
// without a hash were asked by the message.
func (r Record) SameRequest(hash, by string) bool {
	return r.Asked == hash || r.Asked == "" && by == ""
}

// Tokens of a run, in the four kinds that have prices.
type Tokens struct {
	Input      int64 `json:"input"` // uncached
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Output     int64 `json:"output"` // reasoning included
}

// TokensOf is the tokens of a usage; nil for none.
func TokensOf(u *harness.Usage) *Tokens {
	if u == nil {
		return nil
	}
	return &Tokens{u.Input, u.CacheRead, u.CacheWrite, u.Output}
}

// ID is the trial that the record is a run of.
func (r Record) ID() ID {
	id := ID{r.Task, r.Variant, r.Attempt}
	if id.Variant == "" {
		id.Variant = r.Harness
	}
	id.Attempt = max(id.Attempt, 1)
	return id
}

// Name tells the run from all others, those of other programs included.
func (r Record) Name() string {
	if r.Run != "" {
		return r.Run
	}
	return r.Harness + ":" + r.Task + ":" + r.Started
}

// Scored reports whether the tests decided.
func (r Record) Scored() bool { return r.Status == Passed || r.Status == Failed }

// Done reports whether the trial needs no further run. One that was
// interrupted, or could not run and cost nothing (a login to renew, a program
// to install), is run again.
func (r Record) Done() bool {
	return r.Status != Interrupted && (r.Status != Error || r.Charged != 0)
}

// lenient reading: a line that was cut short or edited must not stop a report.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// ReadRecords reads the lines of a results file. A line that is no record (cut
// short by a stop, say) is passed over; a field of an unexpected kind is left
// empty.
func ReadRecords(text []byte) []Record {
	var out []Record
	for line := range bytes.Lines(text) {
		if r, ok := readRecord(line); ok && r.Task != "" && r.Harness != "" {
			out = append(out, r)
		}
	}
	return out
}

func readRecord(line []byte) (r Record, ok bool) {
	if json.Unmarshal(line, &r, lenient()) == nil {
		return r, true
	}
	var fields map[string]jsontext.Value
	if json.Unmarshal(line, &fields, lenient()) != nil {
		return Record{}, false
	}
	r = Record{}
	for name, value := range fields {
		one, err := json.Marshal(map[string]jsontext.Value{name: value}, lenient())
		next := r
		if err == nil && json.Unmarshal(one, &next, lenient()) == nil {
			r = next
		}
	}
	return r, true
}
