package guard

import "strings"

// Fingerprint is the hash by which a session remembers a call, for somebody who
// looks for it in a transcript.
func Fingerprint(tool string, input []byte) ID { return fingerprint(tool, input) }

// Setting is the key of the setting that an event of the list is due to.
func (t Trip) Setting() string {
	if t.Rule != "" {
		return t.Rule
	}
	switch t.Wire {
	case WireSpend:
		return "spend_cap_usd"
	case WireWarning:
		return "warn_at"
	case WireLoop:
		return "loop_repeats"
	case WireFailures:
		return "failure_streak"
	case WireFanout:
		return fanoutRule(t.Detail).key
	case WireInvalid:
		if strings.HasSuffix(t.Detail, " failed") { // calls of any kind that no hook was asked about
			return "failure_streak"
		}
		return ruleTexts()[InvalidCalls].key
	case WireRate:
		return ruleTexts()[RateUSD].key
	case WireProgress:
		return ruleTexts()[NoProgressUSD].key
	case WireProtect:
		return ruleTexts()[Protect].key
	}
	return ""
}

// fanoutRule tells the rules of the fan-out wire apart by what they said.
func fanoutRule(detail string) ruleText {
	switch {
	case strings.Contains(detail, "level"):
		return ruleTexts()[NestedAgents]
	case strings.Contains(detail, "limit"):
		return ruleTexts()[FanoutStop]
	}
	return ruleTexts()[FanoutWarn]
}

// Without is the limits without the rule of a key, which may be a cap.
func (l Limits) Without(key string) Limits {
	for _, s := range Settings() {
		switch {
		case s.Key != key:
		case s.Rule < ruleCount:
			l.Rules[s.Rule] = 0
		case key == "spend_cap_usd":
			l.SpendCapUSD = 0
		}
	}
	return l
}
