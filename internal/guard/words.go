package guard

import "fmt"

// The words for the caps in sentences: the session's own, those over all
// sessions, and that in tokens.

func (c spendCap) own() bool { return c.rule == ruleCount || c.rule == CapTokens }

func (c spendCap) who() string {
	if c.own() {
		return "this session"
	}
	return "your sessions together have"
}

func (c spendCap) its() string {
	if c.own() {
		return "its"
	}
	return "their"
}

func (c spendCap) which() string {
	switch c.rule {
	case ruleCount:
		return "its spend cap"
	case CapTokens:
		return "its token cap"
	}
	return "the spend cap" + c.period
}

// whose is the cap with its amount: "its $10.00 cap", "the $50.00 cap a day".
func (c spendCap) whose(amount string) string {
	if c.own() {
		return "its " + amount + " cap"
	}
	return "the " + amount + " cap" + c.period
}

// shown is what was used, with how right a figure in dollars is.
func (c spendCap) shown(s *Session, check Check) string {
	if c.rule == ruleCount {
		return check.figure(s, c.used)
	}
	return c.amount(c.used)
}

// spent is what was used, as a sentence.
func (c spendCap) spent(s *Session, check Check) string {
	switch c.rule {
	case ruleCount:
		return "the session has spent about " + c.shown(s, check)
	case CapTokens:
		return fmt.Sprintf("the session has used %s, cache reads left out", c.amount(c.used))
	}
	return "all sessions together have spent about " + c.amount(c.used)
}
