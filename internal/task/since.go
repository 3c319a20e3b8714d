package task

import (
	"errors"
	"strings"
	"time"
)

// All is the whole history, as --since has it.
const All = "all"

// Since turns what the user says ("365d", "2026-01-15" or "all") into a date as
// git takes it; "" for all.
func Since(text string) (string, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok && days != "" && strings.Trim(days, "0123456789") == "" {
		days = strings.TrimLeft(days, "0")
		if days == "" {
			days = "0"
		}
		return days + " days ago", nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil && day.Year() > 0 {
		return text, nil
	}
	if text == All {
		return "", nil
	}
	return "", errors.New("--since takes a number of days such as 365d, a date such as 2026-01-15, or all")
}
