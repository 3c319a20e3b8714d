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
	Rules         Rules   `json:"-"`              // what the Python guard does not have
}

// Defaults hold where no setting says otherwise.
func Defaults() Limits {
	l := Limits{SpendCapUSD: 10, WarnAt: 0.8, LoopRepeats: 3, FailureStreak: 5}
	for i, t := range ruleTexts() {
		l.Rules[i] = t.usual
	}
	return l
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
	Rules                                           [ruleCount]Source
}

// Setting names one limit: its key in settings files and its variable.
type Setting struct {
	Key, Variable string
	Words         string // what it limits; "" for those of the Python guard
	Rule          Rule   // ruleCount for those of the Python guard
	Usual         float64
	valid         func(float64) bool
}

// known is how many settings the Python guard has. It takes numbers only.
const known = 4

// Settings lists the limits in the order reports show them.
func Settings() []Setting {
	d := Defaults()
	all := make([]Setting, 0, known+ruleCount)
	all = append(all,
		Setting{"spend_cap_usd", "RUNAWAY_GUARD_CAP_USD", "", ruleCount, d.SpendCapUSD, func(n float64) bool { return n >= 0 }},
		Setting{"warn_at", "RUNAWAY_GUARD_WARN_AT", "", ruleCount, d.WarnAt, func(n float64) bool { return n > 0 && n <= 1 }},
		Setting{
			"loop_repeats", "RUNAWAY_GUARD_LOOP_REPEATS", "", ruleCount, float64(d.LoopRepeats),
			func(n float64) bool { return whole(n) && (n == 0 || n >= 2) },
		},
		Setting{
			"failure_streak", "RUNAWAY_GUARD_FAILURE_STREAK", "", ruleCount, float64(d.FailureStreak),
			func(n float64) bool { return whole(n) && n >= 0 },
		},
	)
	for i, t := range ruleTexts() {
		all = append(all, Setting{t.key, variable(t.key), t.words, Rule(i), t.usual, t.valid})
	}
	return all
}

func variable(key string) string { return "RUNAWAY_GUARD_" + strings.ToUpper(key) }

func whole(n float64) bool { return n == math.Trunc(n) && math.Abs(n) <= math.MaxInt32 }

// ParseSetting reads a setting's text, a number in JSON or in a variable. It is
// false for what is no number of that setting's range, which is then ignored.
// The words false and true turn a rule off, and on with its usual limit.
func (s Setting) ParseSetting(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if s.Rule < ruleCount {
		switch strings.ToLower(text) {
		case "false", "off", "no":
			return 0, true
		case "true", "on", "yes":
			return s.Usual, s.Usual != 0
		}
	}
	n, err := strconv.ParseFloat(text, 64)
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
	settings := Settings()
	if AsReference(getenv) {
		settings = settings[:known]
	}
	var n [known + ruleCount]float64
	var from [known + ruleCount]Source
	for i, setting := range settings {
		n[i], from[i] = setting.merge(getenv, user, project)
	}
	limits := Limits{SpendCapUSD: n[0], WarnAt: n[1], LoopRepeats: int(n[2]), FailureStreak: int(n[3]), Rules: Rules(n[known:])}
	return limits, Sources{from[0], from[1], from[2], from[3], [ruleCount]Source(from[known:])}
}

func (s Setting) merge(getenv func(string) string, user, project SettingsFile) (float64, Source) {
	n, from := s.Usual, Source{Kind: FromDefault}
	if v, ok := s.ParseSetting(getenv(s.Variable)); ok {
		n, from = v, Source{FromEnvironment, s.Variable}
	} else if v, ok := s.ParseSetting(user.Values[s.Key]); ok {
		n, from = v, Source{FromUser, user.Path}
	}
	if v, ok := s.ParseSetting(project.Values[s.Key]); ok && s.stricter(v, n) {
		n, from = v, Source{FromProject, project.Path}
	}
	return n, from
}

// AsReference tells whether the guard is to decide as the Python guard does.
func AsReference(getenv func(string) string) bool {
	return getenv("RUNAWAY_GUARD_RULES") == "reference"
}

// stricter: 0 is off, so it is never stricter and anything is stricter than it.
// Rules that let more pass where they are on are the user's alone.
func (s Setting) stricter(a, b float64) bool {
	switch s.Rule {
	case JudgePolls, ChangingFailures, TypedWords:
		return false
	}
	return a != 0 && (b == 0 || a < b)
}
