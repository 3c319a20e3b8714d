package guard

import (
	"fmt"
	"strconv"
)

// Rule is one of the rules that the Python guard does not have. Each has a
// setting of its own, and a limit of 0 turns it off.
type Rule uint8

// The rules, in the order of reports and pages.
const (
	EndTurn Rule = iota
	StopPrompts
	StopBatches
	HoldStops
	Unattended
	Protect
	TypedWords
	LoopCycles
	FailingRepeats
	SameResultRepeats
	JudgePolls
	PollRepeats
	InvalidCalls
	ChangingFailures
	FanoutWarn
	FanoutStop
	NestedAgents
	RateUSD
	NoProgressUSD
	DayCapUSD
	WeekCapUSD
	MonthCapUSD
	ProjectCapUSD
	CapTokens
	ruleCount
)

// SpendCapUSD stands for the session's own cap in dollars, which the Python guard
// has, too, where a Rule names a cap.
const SpendCapUSD = ruleCount

// Rules are the limits of all rules.
type Rules [ruleCount]float64

// On tells whether a rule is on.
func (l Limits) On(r Rule) bool { return l.Rules[r] != 0 }

// Times is a rule's limit as a number of times.
func (l Limits) Times(r Rule) int { return int(l.Rules[r]) }

// unit is what a rule's limit counts.
type unit uint8

const (
	onOff unit = iota
	inTimes
	inUSD
	inTokens
)

// ruleText is one row of the table of rules: its key, its default, what its limit
// counts, the smallest limit that means something, and what it does in words.
// A %s in the words is the limit.
type ruleText struct {
	key    string
	usual  float64
	unit   unit
	lowest float64
	words  string
}

func ruleTexts() [ruleCount]ruleText {
	return [ruleCount]ruleText{
		EndTurn:           {"end_turn", 1, onOff, 1, "the second loop that an agent goes into ends its turn"},
		StopPrompts:       {"stop_prompts", 1, onOff, 1, "a prompt over a cap is refused before anything is sent"},
		StopBatches:       {"stop_batches", 1, onOff, 1, "a cap passed by a batch of calls ends the turn before the next request"},
		HoldStops:         {"hold_stops", 1, onOff, 1, "over a cap all calls are answered without reading transcripts again"},
		Unattended:        {"unattended", 1, onOff, 1, "where nobody watches, a question is a stop, and a loop is remembered for the whole turn"},
		Protect:           {"protect", 1, onOff, 1, "calls that would loosen the guard are blocked"},
		TypedWords:        {"typed_words", 1, onOff, 1, "a prompt that is just `checkrein guard allow` or `reset` is obeyed and not sent"},
		LoopCycles:        {"loop_cycles", 3, inTimes, 2, "2 to 5 calls that take turns, %s times over"},
		FailingRepeats:    {"failing_repeats", 3, inTimes, 2, "a call that failed %s times with the same error within 30 calls"},
		SameResultRepeats: {"same_result_repeats", 4, inTimes, 2, "a call that gave the same result %s times with no edit in between"},
		JudgePolls:        {"judge_polls", 1, onOff, 1, "a repeated call whose result changes is no loop, and a wait is known by parsing the command"},
		PollRepeats:       {"poll_repeats", 60, inTimes, 2, "a call with a wait that gave the same result %s times"},
		InvalidCalls:      {"invalid_calls", 3, inTimes, 2, "%s calls in a row to tools that don't exist or with malformed arguments"},
		ChangingFailures:  {"changing_failures", 1, onOff, 1, "failing tests whose output changes are no run of failures"},
		FanoutWarn:        {"fanout_warn", 10, inTimes, 1, "a message at %s subagents started in a turn"},
		FanoutStop:        {"fanout_stop", 40, inTimes, 1, "no more than %s subagents started in a turn"},
		NestedAgents:      {"nested_agents", 3, inTimes, 1, "no more than %s levels of subagents below each other"},
		RateUSD:           {"rate_usd", 10, inUSD, 0, "a message at %s within 5 minutes"},
		NoProgressUSD:     {"no_progress_usd", 5, inUSD, 0, "a message at %s without an edit or a commit"},
		DayCapUSD:         {"day_cap_usd", 0, inUSD, 0, "%s a day over all sessions"},
		WeekCapUSD:        {"week_cap_usd", 0, inUSD, 0, "%s a week over all sessions"},
		MonthCapUSD:       {"month_cap_usd", 0, inUSD, 0, "%s a month over all sessions"},
		ProjectCapUSD:     {"project_cap_usd", 0, inUSD, 0, "%s in one project over all its sessions"},
		CapTokens:         {"cap_tokens", 0, inTokens, 1, "%s tokens a session, cache reads left out"},
	}
}

// valid tells whether a number can be the rule's limit.
func (t ruleText) valid(n float64) bool {
	switch t.unit {
	case onOff:
		return n == 0 || n == 1
	case inUSD:
		return n >= 0
	default:
		return whole(n) && (n == 0 || n >= t.lowest)
	}
}

// show spells a limit with its unit.
func (t ruleText) show(n float64) string {
	switch t.unit {
	case inUSD:
		return dollars(n)
	case onOff:
		return "on"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// shown is the limit in the rule's words, the usual one where the rule is off.
func (t ruleText) shown(n float64) string {
	switch {
	case n != 0:
		return t.show(n)
	case t.usual != 0:
		return t.show(t.usual)
	}
	return "N"
}

// RuleLine is one rule as reports list it.
type RuleLine struct {
	Key   string `json:"rule"`
	Limit string `json:"limit"` // "off" when it is
	Words string `json:"does"`
}

// Lines lists the rules with their limits in force.
func (l Limits) Lines() []RuleLine {
	lines := make([]RuleLine, 0, ruleCount)
	for i, t := range ruleTexts() {
		line := RuleLine{Key: t.key, Limit: "off", Words: t.words}
		if n := l.Rules[i]; n != 0 {
			line.Limit = t.show(n)
		}
		if t.unit != onOff {
			line.Words = fmt.Sprintf(t.words, t.shown(l.Rules[i]))
		}
		lines = append(lines, line)
	}
	return lines
}
