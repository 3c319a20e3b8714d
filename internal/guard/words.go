package guard

import "fmt"

// The words for the caps in sentences: the session's own, those over all
// sessions, and that in tokens.

func (c Cap) own() bool { return c.Rule == SpendCapUSD || c.Rule == CapTokens }

func (c Cap) who() string {
	if c.own() {
		return "this session"
	}
	return "your sessions together have"
}

func (c Cap) its() string {
	if c.own() {
		return "its"
	}
	return "their"
}

func (c Cap) which() string {
	switch c.Rule {
	case SpendCapUSD:
		return "its spend cap"
	case CapTokens:
		return "its token cap"
	}
	return "the spend cap" + c.period
}

// whose is the cap with its amount: "its $10.00 cap", "the $50.00 cap a day".
func (c Cap) whose(amount string) string {
	if c.own() {
		return "its " + amount + " cap"
	}
	return "the " + amount + " cap" + c.period
}

// shown is what was used, with how right a figure in dollars is.
func (c Cap) shown(s *Session, check Check) string {
	if c.Rule == SpendCapUSD {
		return check.figure(s, c.Used)
	}
	return c.amount(c.Used)
}

// spent is what was used, as a sentence.
func (c Cap) spent(s *Session, check Check) string {
	switch c.Rule {
	case SpendCapUSD:
		return "the session has spent about " + c.shown(s, check)
	case CapTokens:
		return fmt.Sprintf("the session has used %s, cache reads left out", c.amount(c.Used))
	}
	return "all sessions together have spent about " + c.amount(c.Used)
}
