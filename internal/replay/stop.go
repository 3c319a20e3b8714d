package replay

import (
	"fmt"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
)

// Stop is one place where a rule would have stepped in. Times, and what comes
// after it, are as the session really went on.
type Stop struct {
	Rule     string    `json:"rule"` // key of the setting that it is due to
	Wire     string    `json:"wire"`
	At       time.Time `json:"at"`
	Call     int       `json:"call"` // number of the call in the session, from 1 on
	SpentUSD float64   `json:"spent_usd"`
	AfterUSD float64   `json:"after_usd"` // spent after it
	Tool     string    `json:"tool"`
	Detail   string    `json:"detail"`
	Agent    string    `json:"agent,omitzero"` // the subagent's id
	Answer   string    `json:"answer"`         // blocked, turn ended, asked, or prompt refused
	EndCall  int       `json:"turn_ended_at_call,omitzero"`
	Again    int       `json:"again"` // how often it would have stepped in again for the same prompt
	File     string    `json:"file"`
	Line     int       `json:"line,omitzero"`
}

// Answers of a stop.
const (
	Blocked = "blocked"
	Ended   = "turn ended"
	Asked   = "asked"
	Refused = "prompt refused"
)

// Played is what came of one session.
type Played struct {
	Session  string    `json:"session"`
	Harness  string    `json:"harness"`
	Project  string    `json:"project"`
	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended"`
	Calls    int       `json:"calls"`
	SpentUSD float64   `json:"spent_usd"`
	CapUSD   float64   `json:"cap_usd"`
	Stops    []Stop    `json:"stops"`

	problems  []error
	estimated float64 // USD of models whose price is not known
	used      bool    // it has a call or a response
}

// play plays the session to its end.
func (p *player) play(rec recording) Played {
	for _, m := range rec.inOrder(p.from.began) {
		p.step(m)
	}
	for _, l := range rec.lanes {
		p.complete(p.tracks[l], false)
	}
	for _, id := range p.counter.Close() {
		p.owners[id] = guard.NewID(p.from.id)
	}
	return p.result(rec)
}

func (p *player) result(rec recording) Played {
	out := Played{
		Session: redact.Line(p.from.id, 140), Harness: p.from.Name, Project: redact.Line(p.from.project, 300),
		Began: p.from.began.UTC(), Ended: p.ended.UTC(), Calls: p.calls, SpentUSD: p.s.TotalUSD(),
		CapUSD: p.run.limits(p.from.project).SpendCapUSD,
		Stops:  p.played.Stops, problems: rec.problems, estimated: p.s.EstimatedUSD, used: p.calls > 0 || p.s.TotalUSD() > 0,
	}
	if out.Stops == nil {
		out.Stops = []Stop{}
	}
	for i := range out.Stops {
		out.Stops[i].AfterUSD = max(0, out.SpentUSD-out.Stops[i].SpentUSD)
	}
	return out
}

// judge notes an answer that is a stop. A cap stops everything from there on; it is
// left out then, so that what else would have been stopped is seen, too.
func (p *player) judge(c guard.Check, t *track, a harness.Answer, e harness.Event) {
	if a.Decision == harness.Pass || len(p.s.Trips) == 0 {
		return
	}
	trip := p.s.Trips[len(p.s.Trips)-1]
	if trip.Wire == guard.WireSpend {
		p.limits = p.limits.Without(trip.Setting())
		p.s.Limits = p.limits
	}
	s := Stop{
		Rule: trip.Setting(), Wire: trip.Wire, At: p.at.UTC(), Call: p.calls, SpentUSD: p.s.TotalUSD(),
		Tool: trip.Tool, Detail: redact.Line(trip.Detail, 120), Answer: answerOf(c, a), File: t.path,
	}
	if t.sub {
		s.Agent = redact.Line(t.agent, 300)
	}
	if e.Detail != nil {
		s.Line = t.line(e.Detail.Start)
	}
	if s.Answer == Ended {
		s.EndCall = p.calls
	}
	p.note(s, fmt.Sprint(s.Rule, "\x00", t.agent, "\x00", c.Call.Prompt))
}

func answerOf(c guard.Check, a harness.Answer) string {
	switch {
	case a.Decision == harness.Ask:
		return Asked
	case c.Call.Event == harness.UserPromptSubmit:
		return Refused
	case a.EndTurn && c.Asks: // Codex has no way to end a turn
		return Ended
	}
	return Blocked
}

// note lists a stop; further ones of the same rule in the same turn are counted.
func (p *player) note(s Stop, key string) {
	i, again := p.open[key]
	if !again {
		p.open[key] = len(p.played.Stops)
		p.played.Stops = append(p.played.Stops, s)
		return
	}
	was := &p.played.Stops[i]
	was.Again++
	if was.EndCall == 0 {
		was.EndCall = s.EndCall
	}
}
