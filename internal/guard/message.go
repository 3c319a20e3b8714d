package guard

import (
	"fmt"
	"strings"

	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

const maxPathChars = 300

func dollars(usd float64) string { return fmt.Sprintf("$%.2f", usd) }

// ordinal is 1st, 2nd, 3rd, 4th, 11th, …
func ordinal(n int) string {
	ending := "th"
	if teens := n % 100; teens < 10 || teens > 20 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n, ending)
}

func spendStop(s *Session, c Check, used float64) harness.Answer {
	spent, limit, help := c.figure(s, used), dollars(c.Limits.SpendCapUSD), spendHelp(s, c)
	estimated := estimateNote(s)
	return harness.Answer{
		Decision: harness.Deny,
		Reason: fmt.Sprintf("checkrein blocked this call: the session has spent about %s, which is over its %s cap, "+
			"and every tool call is blocked from here.%s Stop now and tell the user so. To go on, the user can %s.",
			spent, limit, estimated, help),
		Message: fmt.Sprintf("checkrein: this session reached its spend cap, %s of %s, so its tool calls are blocked.%s "+
			"To go on, %s.", spent, limit, estimated, help),
		EndTurn: true, // else every block would pay for another response
	}
}

// figure is what a message says of an amount. The program that this one is held
// against says the dollars alone.
func (c Check) figure(s *Session, usd float64) string {
	if c.Plain {
		return dollars(usd)
	}
	return s.Figure(usd)
}

// spendHelp names the two ways to go on, for wherever the cap in force comes from.
func spendHelp(s *Session, c Check) string {
	from := c.Sources.SpendCapUSD
	where := redact.Line(from.Where, maxPathChars)
	change := "set a higher spend_cap_usd in " + redact.Line(c.File, maxPathChars)
	switch from.Kind {
	case FromEnvironment:
		change = fmt.Sprintf("raise or unset %s where the agent runs", from.Where)
	case FromProject:
		change = "raise or remove spend_cap_usd in " + where
	case FromUser:
		change = "raise spend_cap_usd in " + where
	}
	return fmt.Sprintf("%s, or start the count over by typing this in a terminal: %s guard status --session %s --reset",
		change, redact.Line(c.Program, maxPathChars), redact.Line(Quote(s.ID), 140))
}

func estimateNote(s *Session) string {
	if s.EstimatedUSD == 0 {
		return ""
	}
	return fmt.Sprintf(" About %s of that is an estimate for %s, whose price is not known.",
		dollars(s.EstimatedUSD), strings.Join(s.EstimatedModels, ", "))
}

func loopStop(c Check, times int) harness.Answer {
	tool := redact.Line(c.Call.Tool, maxToolChars)
	return harness.Answer{
		Decision: harness.Deny,
		Reason: fmt.Sprintf("checkrein blocked this %s call: it is the %s identical call, and nothing was changed since "+
			"the one before, so it would very likely end the same way. Try something else, or stop and ask the user.",
			tool, ordinal(times)),
		Message: fmt.Sprintf("checkrein blocked a repeated %s call: the same call came %d times and nothing was changed "+
			"in between.", tool, times),
	}
}

func failureStop(c Check, streak int) harness.Answer {
	if !c.Asks {
		return harness.Answer{
			Decision: harness.Deny,
			Reason: fmt.Sprintf("checkrein blocked this call: the last %d tool calls all failed. Stop, say what failed, "+
				"and ask the user how to go on before trying again.", streak),
		}
	}
	return harness.Answer{
		Decision: harness.Ask,
		Reason: fmt.Sprintf("checkrein: the last %d tool calls all failed. Look whether the agent is still on track "+
			"before you let this %s call run.", streak, redact.Line(c.Call.Tool, maxToolChars)),
	}
}

// messages tells the user what they should know while the call goes on.
func (s *Session) messages(c Check) string {
	var notes []string
	limit, used := c.Limits.SpendCapUSD, s.Spent()
	if s.BaselineNote > 0 {
		notes = append(notes, fmt.Sprintf("checkrein met this session at %s, which is already over its %s cap, so it "+
			"counts from $0.00 from here.", dollars(s.BaselineNote), dollars(limit)))
		s.BaselineNote = 0
	}
	if limit > 0 && c.Limits.WarnAt*limit <= used && used < limit && (s.WarnedCap == nil || *s.WarnedCap != limit) {
		s.WarnedCap = &limit // once per cap
		s.record(WireWarning, c.Call.Tool, fmt.Sprintf("%s of the %s cap", dollars(used), dollars(limit)), c.Now)
		notes = append(notes, fmt.Sprintf("checkrein: this session has spent about %s of its %s cap (%d%%). At the cap "+
			"its tool calls are blocked.", c.figure(s, used), dollars(limit), int(100*used/limit)))
	}
	if len(s.EstimatedModels) > 0 && !s.EstimateNoted {
		s.EstimateNoted = true // the first such model of a session is enough
		notes = append(notes, fmt.Sprintf("checkrein knows no price for %s, so its tokens count like those of the dearest "+
			"current model of its family. A newer checkrein may know the price.", s.EstimatedModels[0]))
	}
	return strings.Join(notes, " ")
}

// Quote makes one shell word of text, as a user would type it.
func Quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'"'"'`) + "'"
}
