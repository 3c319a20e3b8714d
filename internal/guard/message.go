package guard

import (
	"cmp"
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

func spendStop(s *Session, c Check, reached Cap) harness.Answer {
	spent, limit, help := reached.spent(s, c), reached.amount(reached.Limit), spendHelp(s, c, reached)
	estimated := ""
	if reached.Rule == SpendCapUSD {
		estimated = estimateNote(s)
	}
	return harness.Answer{
		Decision: harness.Deny,
		Reason: fmt.Sprintf("checkrein blocked this call: %s, which is over %s, "+
			"and every tool call is blocked from here.%s Stop now and tell the user so. To go on, the user can %s.",
			spent, reached.whose(limit), estimated, help),
		Message: fmt.Sprintf("checkrein: %s reached %s, %s of %s, so %s tool calls are blocked.%s "+
			"To go on, %s.", reached.who(), reached.which(), reached.shown(s, c), limit, reached.its(), estimated, help),
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

// spendHelp names the ways to go on, for wherever the cap in force comes from.
func spendHelp(s *Session, c Check, reached Cap) string {
	id := redact.Line(Quote(s.ID), 140)
	program := redact.Line(c.Program, maxPathChars)
	where := "in a terminal"
	if c.Limits.On(TypedWords) {
		where = "in another terminal (or, without --session, as a prompt)"
	}
	help := fmt.Sprintf("%s, or type %s: %s guard allow --session %s (once more as much; --usd 5 for another amount)",
		raising(c, reached), where, program, id)
	if reached.Rule == SpendCapUSD || reached.Rule == CapTokens {
		help += fmt.Sprintf(" or %s guard reset --session %s (the count starts over)", program, id)
	}
	if reached.until != "" {
		help += ", or wait: it starts over at " + reached.until
	}
	return help
}

// raising says where the cap in force can be raised.
func raising(c Check, reached Cap) string {
	from, key := c.Sources.SpendCapUSD, "spend_cap_usd"
	if reached.Rule != SpendCapUSD {
		from, key = c.Sources.Rules[reached.Rule], reached.name()
	}
	where := redact.Line(from.Where, maxPathChars)
	switch from.Kind {
	case FromEnvironment:
		return fmt.Sprintf("raise or unset %s where the agent runs", from.Where)
	case FromProject:
		return "raise or remove " + key + " in " + where
	case FromUser:
		return "raise " + key + " in " + where
	}
	return "set a higher " + key + " in " + redact.Line(c.File, maxPathChars)
}

func estimateNote(s *Session) string {
	if s.EstimatedUSD == 0 {
		return ""
	}
	return fmt.Sprintf(" About %s of that is an estimate for %s, whose price is not known.",
		dollars(s.EstimatedUSD), strings.Join(s.EstimatedModels, ", "))
}

func loopStop(c Check, t trip, ends bool) harness.Answer {
	tool, shown := redact.Line(c.Call.Tool, maxToolChars), cmp.Or(t.shown, t.told)
	answer := harness.Answer{
		Decision: harness.Deny,
		Reason: fmt.Sprintf("checkrein blocked this %s call: %s, so it would very likely end the same way. Try something else, "+
			"or stop and ask the user.", tool, t.told),
		Message: fmt.Sprintf("checkrein blocked a repeated %s call: %s.", tool, shown),
		EndTurn: ends,
	}
	if ends {
		answer.Reason = fmt.Sprintf("checkrein blocked this %s call: %s, and the agent was told of a loop before. Stop now: end the "+
			"turn, say what you tried, and ask the user how to go on.", tool, t.told)
		answer.Message = fmt.Sprintf("checkrein ended the turn: the agent went in circles again (%s: %s). A new prompt lets it go on.", tool, shown)
	}
	return answer
}

// told adds to a stop's message that the turn is over, where it is.
func told(a harness.Answer) harness.Answer {
	if a.EndTurn {
		a.Message += " The turn was ended; a new prompt lets it go on."
	}
	return a
}

func invalidStop(times int, why string) harness.Answer {
	text := fmt.Sprintf("the last %d tool calls %s", times, why)
	return harness.Answer{
		Decision: harness.Deny, Reason: "checkrein: " + text + ".",
		Message: "checkrein ended the turn: " + text + ". A new prompt lets it go on.", EndTurn: true,
	}
}

func failureStop(c Check, streak int) harness.Answer {
	if !c.Asks || c.alone() {
		return told(harness.Answer{
			Decision: harness.Deny,
			Reason: fmt.Sprintf("checkrein blocked this call: the last %d tool calls all failed. Stop, say what failed, "+
				"and ask the user how to go on before trying again.", streak),
			Message: fmt.Sprintf("checkrein blocked a call: the last %d tool calls all failed.", streak),
			EndTurn: c.alone(),
		})
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
	if s.BaselineNote > 0 {
		notes = append(notes, fmt.Sprintf("checkrein met this session at %s, which is already over its %s cap, so it "+
			"counts from $0.00 from here.", dollars(s.BaselineNote), dollars(c.Limits.SpendCapUSD)))
		s.BaselineNote = 0
	}
	notes = append(notes, s.capWarnings(c)...)
	notes = append(notes, s.fanoutNote(c)...)
	notes = append(notes, s.paceNotes(c)...)
	if len(s.EstimatedModels) > 0 && !s.EstimateNoted {
		s.EstimateNoted = true // the first such model of a session is enough
		notes = append(notes, fmt.Sprintf("checkrein knows no price for %s, so its tokens count like those of the dearest "+
			"current model of its family. A newer checkrein may know the price.", s.EstimatedModels[0]))
	}
	return strings.Join(notes, " ")
}

func nearCap(s *Session, c Check, near Cap) string {
	return fmt.Sprintf("checkrein: %s (%d%% of %s). At the cap %s tool calls are blocked.",
		near.spent(s, c), int(100*near.Used/near.Limit), near.whose(near.amount(near.Limit)), near.its())
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
