package task

import (
	"errors"
	"strings"
	"time"
)

// Since turns what the user says ("365d" or "2026-01-15") into a date as git
// takes it.
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
	return "", errors.New("--since takes a number of days such as 365d, or a date such as 2026-01-15")
}
