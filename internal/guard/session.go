// Package guard holds the rules: when a session has spent too much, goes in
// circles or keeps failing, and what is then said. It is pure: the session's
// counts come in, are changed, and go out again; reading transcripts, the
// clock and the state file belong to the packages above it.
package guard

import (
	"time"

	"checkrein/internal/harness"
)

// Version of the state file. Version 2 is shared with the Python guard that
// this program replaces, so its running counts go on: every key it knows keeps
// its meaning, and what we add are keys of our own.
const Version = 2

// Bounds of what one session keeps, the same as the Python guard's.
const (
	maxCounts     = 64   // loop fingerprints an agent
	maxAgents     = 100  // agents a session, the most recent ones
	maxTrips      = 50   // events listed
	maxDenied     = 200  // ids of calls the guard blocked
	maxCounted    = 4096 // ids of counted responses
	maxEstimated  = 10   // names of models without a price
	maxJudged     = 128  // calls whose answer is remembered
	maxModelChars = 60
	maxToolChars  = 80
)

// Session is what the guard remembers of one session between two hook calls.
// Dollars are USD at API list prices.
type Session struct {
	Version         int
	ID              string
	Harness         string
	Created         string  // UTC, to the second
	CreatedTS       float64 // seconds since 1970
	Updated         string
	Files           map[string]*File // by path
	CostUSD         float64
	BaselineUSD     float64 // TotalUSD at the last reset
	EstimatedUSD    float64
	EstimatedTokens int64
	EstimatedModels []string
	EstimateNoted   bool
	WarnedCap       *float64
	Streaks         map[string]int // failures in a row, by agent
	Agents          agents
	DeniedIDs       []string
	Trips           []Trip
	Counts          map[string]int // how often each wire fired
	Limits          Limits         // as of the last check
	Counted         string
	CodexStarted    *float64
	CodexChecked    []string
	Resets          int

	// Ours, unknown to the Python guard.
	GuessedUSD float64 // of CostUSD: output tokens guessed from the text
	CopiedUSD  float64 // responses in its transcripts that other sessions had counted
	Own        Own     // what the harness itself counts
	Judged     []judged
	Installed  int64            // when the guard was installed, seconds since 1970; 0 when that is not known
	Unpaid     bool             // the totals over all sessions don't have all of Days yet
	Project    string           // the project whose total it adds to: its root folder
	Tokens     int64            // all but cache reads
	Days       map[string]int64 // paid since the install, in billionths of a dollar, by local day
	Rate       []paid           // the latest minutes
	RateQuiet  int64            // no message on the rate before that time, seconds since 1970
	WorkUSD    float64          // TotalUSD at the last edit or commit
	WorkNoted  bool             // the user was told that nothing was edited for long

	BaselineTokens int64 // Tokens at the last reset
	AllowedUSD     float64
	AllowedTokens  int64
	Grants         []grant
	Warned         []string // caps over all sessions that the user was told of

	Spawned      int    // subagents started since the prompt SpawnPrompt
	SpawnPrompt  string // id
	SpawnNoted   bool
	SpawnStopped bool

	BaselineNote float64 // dollars forgiven at the first check, until the user was told
	Extra        []byte  // members of a later release, as JSON members with a comma before each
}

// File is how far one transcript was read.
type File struct {
	Offset int64
	Size   int64
	Agent  string
	Model  string

	// Ours: what a reader carries from read to read. Seen marks that it is known,
	// which it is not in a file the Python guard read.
	Records bool
	Total   *int64
	Thread  string
	Other   string
	Copied  bool
	Tier    harness.Tier
	Seen    bool
	Copying bool // it has no response of its own yet: what comes may be a copy of another session's
	Again   bool // this read starts over, because a shorter file took its place; not kept
}

// Trip is one entry of the list of latest events.
type Trip struct {
	Wire   string `json:"wire"` // one of the names below
	At     string `json:"at"`
	Tool   string `json:"tool"`
	Detail string `json:"detail"`

	// Ours.
	Rule  string `json:"rule,omitzero"` // key of the setting that it is due to, where the wire does not tell
	Agent string `json:"-"`
	Calls []ID   `json:"-"` // fingerprints of the calls it is about
}

// Names of the wires, as counts, trips and reports spell them.
const (
	WireSpend    = "spend"
	WireLoop     = "loop"
	WireFailures = "failures"
	WireWarning  = "warning"
	WireBaseline = "baseline"
	WireInvalid  = "invalid"
	WireFanout   = "fan-out"
	WireRate     = "rate"
	WireProgress = "progress"
	WireProtect  = "protect"
)

// New is a session seen for the first time.
func New(id, harnessName string, now time.Time) *Session {
	stamp := Stamp(now)
	return &Session{
		Version: Version, ID: id, Harness: harnessName,
		Created: stamp, CreatedTS: float64(now.UnixNano()) / 1e9, Updated: stamp,
		Files: map[string]*File{}, Streaks: map[string]int{},
		EstimatedModels: []string{}, DeniedIDs: []string{}, Trips: []Trip{}, Counts: noCounts(),
		Limits: Limits{Rules: Defaults().Rules},
	}
}

func noCounts() map[string]int {
	return map[string]int{WireLoop: 0, WireFailures: 0, WireSpend: 0, WireWarning: 0}
}

// Mend makes a session read from disk safe to work on: the maps a file may
// leave out are there.
func (s *Session) Mend() {
	if s.Files == nil {
		s.Files = map[string]*File{}
	}
	for path, f := range s.Files {
		if f == nil {
			delete(s.Files, path)
		}
	}
	if s.Streaks == nil {
		s.Streaks = map[string]int{}
	}
	if s.Counts == nil {
		s.Counts = noCounts()
	}
}

// Unread tells whether no transcript of the session was read so far.
func (s *Session) Unread() bool {
	for _, f := range s.Files {
		if f.Seen || f.Offset > 0 {
			return false
		}
	}
	return true
}

// Stamp is a time as state files and reports write it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// TotalUSD is all that the session has cost: what its transcripts show, and
// what only the harness's own count shows.
func (s *Session) TotalUSD() float64 { return s.CostUSD + s.Own.UnseenUSD }

// Spent is USD counted since the session started or was last reset.
func (s *Session) Spent() float64 { return max(0, s.TotalUSD()-s.BaselineUSD) }

// Reset starts the counts over: spend from $0, loop and failure counts cleared.
// The session's total stays. paid is what the session has cost so far where that
// is more than it has counted: the newest response may not be counted yet.
func (s *Session) Reset(now time.Time, paid float64) {
	s.BaselineUSD, s.BaselineTokens = max(s.TotalUSD(), paid), s.Tokens
	s.AllowedUSD, s.AllowedTokens, s.Warned = 0, 0, nil
	s.Spawned, s.SpawnNoted, s.SpawnStopped = 0, false, false
	s.Agents, s.Streaks, s.Trips = nil, map[string]int{}, []Trip{}
	s.Counts, s.WarnedCap, s.Judged = noCounts(), nil, nil
	s.BaselineNote = 0
	s.Resets++
	s.Updated = Stamp(now)
}

func last[T any](list []T, n int) []T {
	if len(list) > n {
		return list[len(list)-n:]
	}
	return list
}
