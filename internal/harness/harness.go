// Package harness is the vocabulary shared by everything that knows one coding
// agent's command line (a harness): what a hook call, a transcript event and an
// answer are, whatever their spelling on disk or on the wire.
//
// It holds values only: no I/O, no clock. What is known of one harness lives in
// a folder below this one, with the same file names in each: hook.go (the hook's
// input and answer), transcript.go (records to events), files.go (which files
// belong to a session), settings.go and hooks.go (its hook entry, and where that
// goes), headless.go (its runs without a person), history.go (where its sessions
// lie), skills.go, traits.go (what it is known by from outside). Package registry
// lists them all.
package harness

// Names of the harnesses as flags, settings and state files spell them.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
)

// Usage counts tokens with Anthropic's meanings for every harness: Input is
// uncached input, cache reads and writes stand apart, Output includes
// reasoning.
type Usage struct {
	Input        int64
	CacheRead    int64
	CacheWrite   int64 // 5-minute and 1-hour writes together
	CacheWrite1h int64 // the 1-hour part of CacheWrite, where it is known
	Output       int64
	Reasoning    int64 // the reasoning part of Output, where it is known
	WebSearches  int64 // searches that the model's maker ran and charges for one by one
	Terms        Terms
}

// Terms are what else decides the price of a request. The zero value is the
// list price.
type Terms struct {
	Fast     bool // the model's fast mode
	Tier     Tier
	Regional bool // kept to one region, where that costs more
}

// Tier is the service a request was run under.
type Tier uint8

// The tiers that have prices of their own.
const (
	Standard Tier = iota
	Batch
	Flex
	Priority
)

// TierOf is the tier of a name that a harness writes.
func TierOf(name string) Tier {
	switch name {
	case "batch":
		return Batch
	case "flex":
		return Flex
	case "priority":
		return Priority
	}
	return Standard
}

// Tokens is every token of the request and its response.
func (u Usage) Tokens() int64 { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// Resume is what a reader must remember of a transcript between two reads,
// because the lines that said it are not read again.
type Resume struct {
	Model   string // Codex: the model in force at the offset
	Tier    Tier   // Codex: the service tier in force there
	Records bool   // Codex: the file has token_usage_record lines, so token_count events are repeats
	Total   *int64 // Codex: total_tokens of the last token_count event; nil when none was seen
	Thread  string // Codex: the id of the file's own thread
	Other   string // Codex: the thread whose lines the file repeats at its beginning, until its own begin
	Copied  bool   // Codex: the turn at the offset is a copy of another thread's
}

// Reader turns the new lines of one transcript into events. Only one read uses
// a Reader: make it, feed it every complete new line in order, close it.
type Reader interface {
	// Line takes one complete line, without its newline, and the offset it
	// starts at. Lines that are not understood are passed over. The reader
	// keeps no reference to line.
	Line(start int64, line []byte)
	// Close ends the read at offset end and returns where the next read must
	// start. The newest response may still be being written, so it and all
	// that follows it are held back for the next read, unless final is set.
	Close(end int64, final bool) (next int64, resume Resume)
}

// Event names of hooks, as every harness here spells them.
const (
	PreToolUse       = "PreToolUse"
	PostToolBatch    = "PostToolBatch"
	UserPromptSubmit = "UserPromptSubmit"
	Stop             = "Stop"
	SubagentStop     = "SubagentStop"
	SessionEnd       = "SessionEnd"
)

// Call is one hook call: the harness asks before a tool runs, or tells that
// something happened.
type Call struct {
	Event      string // PreToolUse, Stop, …
	Session    string
	Agent      string // which agent's counts this call belongs to; equals File.Agent of that agent's transcript
	Transcript string // the session's transcript; "" when the harness keeps none
	AgentFile  string // SubagentStop: that subagent's own transcript
	Dir        string // working folder
	Prompt     string // id of the user's prompt or turn; "" when the harness sends none
	Model      string // model in force; "" when the harness sends none
	ToolUseID  string
	Tool       string
	Short      string  // the tool's name in lower case, without its server or namespace
	Input      []byte  // the tool's input, as JSON; nil when absent
	Response   *Event  // what the response cost that the call is about, where the harness tells; else nil
	Cursor     bool    // Cursor, which runs other harnesses' hooks, sent this
	Batch      []Event // PostToolBatch: those of its calls that could not run, marked as held back
	BatchEnd   string  // PostToolBatch: id of its last call
	BatchSize  int     // PostToolBatch: how many calls it had
	Typed      string  // UserPromptSubmit: what the user typed
	Mode       string  // permission mode
	Sub        bool    // a subagent calls
	Level      int     // how many agents are above the one that calls, as far as is known: 0 for the main one
}

// File is one transcript of a session.
type File struct {
	Path  string
	Agent string // whose calls and results it holds
}

// Answer is what a hook call is told. The zero value lets the call go through
// its normal permission flow without a word.
type Answer struct {
	Decision Decision
	Reason   string // Deny: read by the agent. Ask: read by the user.
	Message  string // shown to the user, where the harness can
	EndTurn  bool   // with Deny: end the turn too, where the harness can
}

// Decision is the part of an Answer that lets a call through or not.
type Decision uint8

// Pass makes no decision: the harness's own permission flow goes on.
const (
	Pass Decision = iota
	Ask
	Deny
)
