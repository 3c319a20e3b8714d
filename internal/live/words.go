package live

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Duration spells seconds: "45 s", "3 min 5 s", "2 h 4 min".
func Duration(seconds float64) string {
	n := int(math.RoundToEven(seconds))
	switch {
	case n < 60:
		return fmt.Sprintf("%d s", n)
	case n < 3600:
		return fmt.Sprintf("%d min %d s", n/60, n%60)
	}
	return fmt.Sprintf("%d h %d min", n/3600, n%3600/60)
}

// Dollars spells an amount to the cent.
func Dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

// Count spells a number of things.
func Count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// since is the time from then to now, cut to whole seconds: a clock that ticks
// shows 3 s until the fourth is over.
func since(then, now time.Time) string {
	return Duration(math.Floor(max(now.Sub(then).Seconds(), 0)))
}

// pace says how long it has taken, and about how much longer it will: what is
// left at the pace of what is done.
func pace(started, now time.Time, done, left int) string {
	text := since(started, now)
	if done > 0 && left > 0 {
		text += ", about " + Duration(now.Sub(started).Seconds()/float64(done)*float64(left)) + " left"
	}
	return text
}

// several joins what there is any of: "2 passed, 1 failed".
func several(counts ...string) string {
	var some []string
	for _, c := range counts {
		if !strings.HasPrefix(c, "0 ") {
			some = append(some, c)
		}
	}
	return strings.Join(some, ", ")
}

// shortID is enough of an id to find it.
func shortID(id string) string {
	runes := []rune(id)
	return string(runes[:min(len(runes), 7)])
}
