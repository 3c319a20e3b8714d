package guard

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Word is what a user tells the guard: to let a stopped session go on, or to
// start its counts over.
type Word struct {
	Reset bool
	USD   float64 // with allow: how much more; 0 for once more as much
}

// ParseWord reads a prompt that is exactly one of "checkrein guard allow",
// "checkrein guard allow --usd 5" and "checkrein guard reset".
func ParseWord(prompt string) (Word, bool) {
	words := strings.Fields(strings.ToLower(prompt))
	if len(words) < 3 || words[0] != "checkrein" || words[1] != "guard" {
		return Word{}, false
	}
	switch rest := words[2:]; {
	case len(rest) == 1 && rest[0] == "reset":
		return Word{Reset: true}, true
	case len(rest) == 1 && rest[0] == "allow":
		return Word{}, true
	case len(rest) == 3 && rest[0] == "allow" && rest[1] == "--usd":
		usd, ok := ParseUSD(rest[2])
		return Word{USD: usd}, ok
	}
	return Word{}, false
}

// MaxAllowedUSD is the most that can be allowed at once.
const MaxAllowedUSD = 100_000

// ParseUSD reads an amount above 0.
func ParseUSD(text string) (usd float64, ok bool) {
	usd, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
	return usd, err == nil && usd > 0 && usd <= MaxAllowedUSD && !math.IsNaN(usd)
}

// Obey does what the user said and tells it, a sentence each.
func (s *Session) Obey(w Word, l Limits, b Budget, now time.Time) []string {
	if w.Reset {
		s.Reset(now, 0)
		return []string{"Done: spend counts from $0.00 again, and the loop and failure counts are cleared."}
	}
	done := s.Allow(l, b, w.USD)
	switch {
	case len(done) == 0 && w.USD > 0:
		return []string{"This session has no cap in dollars of its own, and no other is reached."}
	case len(done) == 0:
		return []string{"This session is not stopped; to raise its cap, say how much: checkrein guard allow --usd 5."}
	}
	return done
}
