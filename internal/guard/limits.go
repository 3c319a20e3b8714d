package guard

import (
	"math"
	"strconv"
	"strings"
)

// Limits are the thresholds in force. A zero turns its wire off.
type Limits struct {
	SpendCapUSD   float64 `json:"spend_cap_usd"`  // USD a session
	WarnAt        float64 `json:"warn_at"`        // share of the cap, above 0 and at most 1
	LoopRepeats   int     `json:"loop_repeats"`   // identical calls that are a loop, 2 or more
	FailureStreak int     `json:"failure_streak"` // failed calls in a row
}

// Defaults hold where no setting says otherwise.
func Defaults() Limits {
	return Limits{SpendCapUSD: 10, WarnAt: 0.8, LoopRepeats: 3, FailureStreak: 5}
}

// Kinds of places a limit comes from.
const (
	FromDefault     = "default"
	FromEnvironment = "environment"
	FromUser        = "user"
	FromProject     = "project"
)

// Source is where a limit in force was set: the variable's name or the file.
type Source struct {
	Kind  string
	Where string
}

// Sources tells where each limit came from.
type Sources struct {
	SpendCapUSD, WarnAt, LoopRepeats, FailureStreak Source
}

// Setting names one limit: its key in settings files and its variable.
type Setting struct {
	Key, Variable string
	valid         func(float64) bool
}

// Settings lists the limits in the order reports show them.
func Settings() [4]Setting {
	return [4]Setting{
		{"spend_cap_usd", "RUNAWAY_GUARD_CAP_USD", func(n float64) bool { return n >= 0 }},
		{"warn_at", "RUNAWAY_GUARD_WARN_AT", func(n float64) bool { return n > 0 && n <= 1 }},
		{"loop_repeats", "RUNAWAY_GUARD_LOOP_REPEATS", func(n float64) bool { return whole(n) && (n == 0 || n >= 2) }},
		{"failure_streak", "RUNAWAY_GUARD_FAILURE_STREAK", func(n float64) bool { return whole(n) && n >= 0 }},
	}
}

func whole(n float64) bool { return n == math.Trunc(n) && math.Abs(n) <= math.MaxInt32 }

// ParseSetting reads a setting's text, a number in JSON or in a variable. It is
// false for what is no number of that setting's range, which is then ignored.
func (s Setting) ParseSetting(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || !s.valid(n) {
		return 0, false
	}
	return n, true
}

// File is the values one settings file holds, by key, as text.
type SettingsFile struct {
	Path   string
	Values map[string]string
}

// Merge decides each limit: the environment, else the user's file, else the
// default; a project's file may only make that stricter, so that a repository
// somebody clones can't loosen the limits of those who clone it.
func Merge(getenv func(string) string, user, project SettingsFile) (Limits, Sources) {
	var n [4]float64
	var from [4]Source
	d := Defaults()
	defaults := [4]float64{d.SpendCapUSD, d.WarnAt, float64(d.LoopRepeats), float64(d.FailureStreak)}
	for i, setting := range Settings() {
		n[i], from[i] = defaults[i], Source{Kind: FromDefault}
		if v, ok := setting.ParseSetting(getenv(setting.Variable)); ok {
			n[i], from[i] = v, Source{FromEnvironment, setting.Variable}
		} else if v, ok := setting.ParseSetting(user.Values[setting.Key]); ok {
			n[i], from[i] = v, Source{FromUser, user.Path}
		}
		if v, ok := setting.ParseSetting(project.Values[setting.Key]); ok && stricter(v, n[i]) {
			n[i], from[i] = v, Source{FromProject, project.Path}
		}
	}
	return Limits{n[0], n[1], int(n[2]), int(n[3])}, Sources{from[0], from[1], from[2], from[3]}
}

// stricter: 0 is off, so it is never stricter and anything is stricter than it.
func stricter(a, b float64) bool { return a != 0 && (b == 0 || a < b) }
