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
	var notes []string
	if s.Own.USD > 0 {
		notes = append(notes, s.ownNote())
	}
	notes = append(notes, s.part(s.Own.UnseenUSD, usd, " of it in requests that no transcript shows")...)
	notes = append(notes, s.part(s.EstimatedUSD+s.GuessedUSD, usd, " of it estimated")...)
	if len(notes) == 0 {
		return dollars(usd)
	}
	return dollars(usd) + " (" + strings.Join(notes, "; ") + ")"
}

// part says how much of an amount is of a kind. After a reset the amount is not
// the whole session's, and the part no more than known to be at most so much.
func (s *Session) part(part, usd float64, kind string) []string {
	atMost := ""
	if shows(s.BaselineUSD) {
		part, atMost = min(part, usd), "at most "
	}
	if !shows(part) {
		return nil
	}
	return []string{atMost + dollars(part) + kind}
}

// ownNote names the harness's own count. It is of the whole session, and of the
// time when the harness last ended.
func (s *Session) ownNote() string {
	note := harness.Label(s.Harness) + "'s own count: " + dollars(s.Own.USD-s.Own.Before)
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
