// Package status tells what the guard has counted: a session as a value with
// fixed JSON keys, as a Markdown report, and as a line of a list. It is pure.
// Everything that came from a session is made safe before it is shown.
package status

import (
	"fmt"
	"math"

	"checkrein/internal/guard"
	"checkrein/internal/redact"
)

// Summary is one session's counts, as `guard status --json` prints them.
// Dollars are USD at API list prices.
type Summary struct {
	Session         string           `json:"session"`
	Harness         string           `json:"harness"`
	Created         string           `json:"created"`
	Updated         string           `json:"updated"`
	SpentUSD        float64          `json:"spent_usd"` // since the start or the last reset
	TotalUSD        float64          `json:"total_usd"` // since the start
	CapUSD          float64          `json:"cap_usd"`
	Limits          guard.Limits     `json:"limits"` // as of the last check
	Trips           map[string]int   `json:"trips"`  // times fired, by wire
	RecentTrips     []guard.Trip     `json:"recent_trips"`
	FailureStreak   int              `json:"failure_streak"` // the longest of any agent, now
	Transcripts     int              `json:"transcripts"`
	OwnUSD          float64          `json:"own_usd,omitzero"`     // the harness's own count, for the whole session
	UnseenUSD       float64          `json:"unseen_usd,omitzero"`  // of the total: requests that only its own count shows
	GuessedUSD      float64          `json:"guessed_usd,omitzero"` // of the total: output guessed from its text
	EstimatedUSD    float64          `json:"estimated_usd"`
	EstimatedTokens int64            `json:"estimated_tokens"`
	EstimatedModels []string         `json:"estimated_models"`
	Resets          int              `json:"resets"`
	ErrorsLogged    int              `json:"errors_logged"`
	StatePath       string           `json:"state_path"`
	Headline        string           `json:"headline,omitzero"`
	AllowedUSD      float64          `json:"allowed_usd,omitzero"` // of the cap: what the user allowed on top
	Tokens          int64            `json:"tokens"`               // since the start, cache reads left out
	Rules           []guard.RuleLine `json:"rules"`

	spent string // SpentUSD with how right it is
}

const maxRecent = 10

// Of sums up a session read from the state file path.
func Of(s *guard.Session, path string, errorsLogged int) Summary {
	sum := Summary{
		Session: redact.Line(s.ID, 140), Harness: redact.Line(s.Harness, 20),
		Created: redact.Line(s.Created, 30), Updated: redact.Line(s.Updated, 30),
		SpentUSD: s.Spent(), TotalUSD: s.TotalUSD(), CapUSD: s.CapUSD(s.Limits), Limits: s.Limits,
		Trips: map[string]int{}, RecentTrips: []guard.Trip{}, Transcripts: len(s.Files),
		OwnUSD: s.Own.USD - s.Own.Before, UnseenUSD: s.Own.UnseenUSD, GuessedUSD: s.GuessedUSD,
		spent: s.Figure(s.Spent()),

		EstimatedUSD: s.EstimatedUSD, EstimatedTokens: s.EstimatedTokens, EstimatedModels: []string{},
		AllowedUSD: s.AllowedUSD, Tokens: s.Tokens, Rules: s.Limits.Lines(),
		Resets: s.Resets, ErrorsLogged: errorsLogged, StatePath: path,
	}
	for _, wire := range [...]string{guard.WireLoop, guard.WireFailures, guard.WireSpend, guard.WireWarning} {
		sum.Trips[wire] = s.Counts[wire]
	}
	for _, wire := range otherWires() {
		if n := s.Counts[wire]; n > 0 {
			sum.Trips[wire] = n
		}
	}
	for _, t := range s.Trips[max(0, len(s.Trips)-maxRecent):] {
		sum.RecentTrips = append(sum.RecentTrips, guard.Trip{
			Wire: redact.Line(t.Wire, 20), At: redact.Line(t.At, 30),
			Tool: redact.Line(t.Tool, 80), Detail: redact.Line(t.Detail, 80), Rule: redact.Line(t.Rule, 40),
		})
	}
	for _, streak := range s.Streaks {
		sum.FailureStreak = max(sum.FailureStreak, streak)
	}
	for _, model := range s.EstimatedModels {
		sum.EstimatedModels = append(sum.EstimatedModels, redact.Line(model, 60))
	}
	return sum
}

// otherWires are those that the Python guard does not have.
func otherWires() []string {
	return []string{guard.WireProtect, guard.WireFanout, guard.WireInvalid, guard.WireRate, guard.WireProgress}
}

// Stops is how often a wire stepped in.
func (s Summary) Stops() int {
	return s.Trips[guard.WireLoop] + s.Trips[guard.WireFailures] + s.Trips[guard.WireSpend] +
		s.Trips[guard.WireProtect] + s.Trips[guard.WireFanout] + s.Trips[guard.WireInvalid]
}

// Title is the summary in one sentence; shown is the session's name in it.
func (s Summary) Title(shown string) string {
	money := fmt.Sprintf("has spent %s (no spend cap is set)", s.spent)
	if s.CapUSD > 0 {
		money = fmt.Sprintf("has spent %s of its %s cap", s.spent, dollars(s.CapUSD))
	}
	fired := "no trip wire has fired"
	if n := s.Stops(); n > 0 {
		fired = "the guard stepped in " + times(n)
	}
	return fmt.Sprintf("Session %s %s; %s.", shown, money, fired)
}

// Short is the start of the session's id, enough to tell it from others.
func (s Summary) Short() string {
	if len(s.Session) > 12 {
		return s.Session[:8]
	}
	return s.Session
}

func dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

func times(n int) string {
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}

func calls(n int) string {
	if n == 1 {
		return "1 call blocked"
	}
	return fmt.Sprintf("%d calls blocked", n)
}

func percent(part, whole float64) int { return int(math.RoundToEven(100 * part / whole)) }

// When shows a stamp to the minute: 2026-09-28 10:02 UTC.
func When(stamp string) string {
	if len(stamp) < 16 || stamp[10] != 'T' {
		return stamp
	}
	return stamp[:10] + " " + stamp[11:16] + " UTC"
}
