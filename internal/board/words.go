package board

import (
	"fmt"
	"strings"

	"checkrein/internal/redact"
)

// headline is the one sentence that a reader takes away.
func headline(b Board) string {
	var passed, cannot []string
	for _, r := range b.Rows {
		if r.CouldNotRun != nil {
			cannot = append(cannot, r.shown+" could not run ("+redact.Code(*r.CouldNotRun, 100)+")")
			continue
		}
		part := fmt.Sprintf("%s passed %d", r.shown, r.Passed)
		switch {
		case r.Passed > 0 && r.CostPerPass != nil:
			part += " at " + money(*r.CostPerPass) + " each"
		case r.Passed > 0:
			part += " (cost not measured)"
		}
		passed = append(passed, part)
	}
	switch {
	case b.Compared > 0:
		text := fmt.Sprintf("On %s from your git history, %s", plural(b.Compared, "task"), and(passed))
		if len(cannot) > 0 {
			text += "; " + strings.Join(cannot, "; ")
		}
		return text + "."
	case len(passed) == 0 && len(cannot) > 0:
		return "No harness could run: " + strings.Join(cannot, "; ") + "."
	}
	return "No task has a result from every harness yet."
}

func money(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// and joins names as a sentence does.
func and(items []string) string {
	if len(items) < 3 {
		return strings.Join(items, " and ")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + ", and " + items[last]
}
