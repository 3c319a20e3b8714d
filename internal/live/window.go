package live

import (
	"strconv"
	"strings"
	"time"

	"checkrein/internal/task"
)

// WidenedTo says that a window of the history gave too few, and how far back was
// looked instead, at a time.
func WidenedTo(gave task.Window, since string, at time.Time) string {
	what := "candidate"
	if gave.Checked {
		what = "task"
	}
	to := "the first commit"
	if days, ok := days(since); ok {
		to = at.AddDate(0, 0, -days).Format(time.DateOnly)
	}
	return capital(span(gave.Since)) + " gave " + Count(gave.Gave, what) + "; looked back to " + to
}

// span is a window in words.
func span(since string) string {
	days, ok := days(since)
	switch {
	case !ok:
		return since
	case days == 365:
		return "a year"
	case days%365 == 0:
		return Count(days/365, "year")
	}
	return Count(days, "day")
}

func days(since string) (int, bool) {
	text, ok := strings.CutSuffix(since, "d")
	days, err := strconv.Atoi(text)
	return days, ok && err == nil
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
