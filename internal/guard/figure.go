package guard

import (
	"math"
	"strings"

	"checkrein/internal/harness"
)

// Figure is an amount with how right it is: the harness's own count, where it
// tells one, and how much is estimated. "$4.12 (Claude Code's own count: $4.20;
// $0.30 of it estimated)".
func (s *Session) Figure(usd float64) string {
	if notes := s.notes(); len(notes) > 0 {
		return dollars(usd) + " (" + strings.Join(notes, "; ") + ")"
	}
	return dollars(usd)
}

func (s *Session) notes() []string {
	var notes []string
	if s.Own.USD > 0 {
		notes = append(notes, s.ownNote())
	}
	if unseen := s.Own.UnseenUSD; shows(unseen) {
		notes = append(notes, dollars(unseen)+" of it in requests that no transcript shows")
	}
	if estimated := s.EstimatedUSD + s.GuessedUSD; shows(estimated) {
		notes = append(notes, dollars(estimated)+" of it estimated")
	}
	return notes
}

// ownNote names the harness's own count. It is of the whole session, and of the
// time when the harness last ended.
func (s *Session) ownNote() string {
	who := map[string]string{harness.ClaudeCode: "Claude Code"}[s.Harness]
	if who == "" {
		who = "the agent"
	}
	note := who + "'s own count: " + dollars(s.Own.USD-s.Own.Before)
	switch {
	case shows(s.CostUSD - s.Own.OurUSD):
		note += " where this program had " + dollars(s.Own.OurUSD)
	case shows(s.BaselineUSD):
		note += " for the whole session"
	}
	return note
}

// shows tells whether an amount is more than $0.00 when printed.
func shows(usd float64) bool { return math.Round(100*usd) >= 1 }
