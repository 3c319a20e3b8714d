package guard

import (
	"fmt"
	"time"

	"checkrein/internal/harness"
)

// paid is what was paid within one minute.
type paid struct {
	Minute int64 // since 1970
	USD    float64
}

// rateMinutes is the time over which the rate rule adds up.
const rateMinutes = 5

// rateQuiet is how long the rate rule stays silent after its message.
const rateQuiet = 30 * time.Minute

// noteRate adds what was paid at a time, and forgets what is long ago.
func (s *Session) noteRate(usd float64, at, now time.Time) {
	minute, oldest := at.Unix()/60, now.Unix()/60-rateMinutes
	kept := s.Rate[:0]
	for _, p := range s.Rate {
		if p.Minute <= oldest {
			continue
		}
		if p.Minute == minute {
			p.USD, usd = p.USD+usd, 0
		}
		kept = append(kept, p)
	}
	if s.Rate = kept; usd > 0 && minute > oldest {
		s.Rate = append(s.Rate, paid{minute, usd})
	}
}

// rate is what was paid within the last minutes, in USD.
func (s *Session) rate(now time.Time) (usd float64) {
	for _, p := range s.Rate {
		if p.Minute > now.Unix()/60-rateMinutes {
			usd += p.USD
		}
	}
	return usd
}

// paceNotes are the messages on how fast money goes, and on money that leaves no
// trace in files.
func (s *Session) paceNotes(c Check) (notes []string) {
	if s.Over(c.Limits, c.Budget) { // the stop has said more
		return nil
	}
	limit := c.Limits.Rules[RateUSD]
	if usd := s.rate(c.Now); limit > 0 && usd >= limit && c.Now.Unix() >= s.RateQuiet {
		s.RateQuiet = c.Now.Add(rateQuiet).Unix()
		s.record(WireRate, c.Call.Tool, dollars(usd)+" within 5 minutes", c.Now)
		notes = append(notes, fmt.Sprintf("checkrein: this session has spent about %s within the last 5 minutes.", dollars(usd)))
	}
	limit = c.Limits.Rules[NoProgressUSD]
	if usd := s.TotalUSD() - s.WorkUSD; limit > 0 && usd >= limit && !s.WorkNoted {
		s.WorkNoted = true
		s.record(WireProgress, c.Call.Tool, dollars(usd)+" without an edit or a commit", c.Now)
		notes = append(notes, fmt.Sprintf("checkrein: this session has spent about %s since its last edit or commit.", dollars(usd)))
	}
	return notes
}

// noteWork remembers what was spent when a file was edited or a commit made.
func (s *Session) noteWork(t traits) {
	if t.has(working) {
		s.WorkUSD, s.WorkNoted = s.TotalUSD(), false
	}
}

// fanout stops a turn from starting ever more subagents, and agents from
// starting agents that start agents.
func (s *Session) fanout(c Check, st step) (harness.Answer, bool) {
	if !StartsAgent(c.Call.Short) {
		return harness.Answer{}, false
	}
	if !c.Call.Sub && c.Call.Prompt != s.SpawnPrompt {
		s.newPrompt(c.Call.Prompt)
	}
	if n := c.Limits.Times(NestedAgents); n > 0 && c.Call.Level >= n {
		return s.stopFanout(c, st, fmt.Sprintf("it would be on level %d below the main agent, and the limit is %d", c.Call.Level+1, n)), true
	}
	if n := c.Limits.Times(FanoutStop); n > 0 && s.Spawned >= n {
		return s.stopFanout(c, st, fmt.Sprintf("%d subagents were started since the last prompt, and that is the limit", s.Spawned)), true
	}
	s.Spawned++
	return harness.Answer{}, false
}

// newPrompt starts the count of subagents over.
func (s *Session) newPrompt(id string) {
	s.SpawnPrompt, s.Spawned, s.SpawnStopped, s.SpawnNoted = id, 0, false, false
}

// stopFanout blocks the start. An agent that was told so before, and tries again,
// has its turn ended, as with loops.
func (s *Session) stopFanout(c Check, st step, why string) harness.Answer {
	ends := st.ends(c)
	st.Tripped = st.Calls
	s.record(WireFanout, c.Call.Tool, why, c.Now)
	answer := harness.Answer{
		Decision: harness.Deny,
		Reason:   "checkrein blocked the start of another subagent: " + why + ". Go on without it, or stop and ask the user.",
		Message:  "checkrein blocked the start of another subagent: " + why + ".",
		EndTurn:  ends,
	}
	s.SpawnStopped = true
	return told(answer)
}

// StartsAgent tells the tools that start a subagent.
func StartsAgent(short string) bool {
	switch short {
	case "agent", "task", "spawn_agent":
		return true
	}
	return false
}

// fanoutNote tells once a turn of many subagents.
func (s *Session) fanoutNote(c Check) []string {
	n := c.Limits.Times(FanoutWarn)
	if n == 0 || s.Spawned < n || s.SpawnNoted {
		return nil
	}
	s.SpawnNoted = true
	s.record(WireFanout, c.Call.Tool, fmt.Sprintf("%d subagents in a turn", s.Spawned), c.Now)
	return []string{fmt.Sprintf("checkrein: %d subagents were started since the last prompt.", s.Spawned)}
}
