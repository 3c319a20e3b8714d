package replay

import (
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/price"
	"checkrein/internal/redact"
)

// Reason is one stop with its evidence, which is read from the transcripts when it
// is asked for.
type Reason struct {
	Rule     string     `json:"rule"` // key of the setting that it was due to
	Wire     string     `json:"wire"`
	At       string     `json:"at"`
	Tool     string     `json:"tool"`
	Detail   string     `json:"detail"`
	Agent    string     `json:"agent,omitzero"`
	SpentUSD *float64   `json:"spent_usd"` // then; null where no transcript is left
	Calls    []Evidence `json:"calls"`     // the latest of those that it is about, oldest first
	Earlier  int        `json:"earlier_calls"`
	Dearest  []Payment  `json:"dearest,omitzero"`
	Agents   []Share    `json:"agents,omitzero"`
}

// Evidence is one call as a transcript has it.
type Evidence struct {
	At     time.Time `json:"at,omitzero"`
	File   string    `json:"file"`
	Line   int       `json:"line"`
	Tool   string    `json:"tool"`
	Input  string    `json:"input"`
	Result string    `json:"result"`
	Text   string    `json:"text"` // the first line of the result
}

// Payment is what one response cost.
type Payment struct {
	At    time.Time `json:"at,omitzero"`
	USD   float64   `json:"usd"`
	Model string    `json:"model"`
	Agent string    `json:"agent"`
}

// Share is what one agent cost.
type Share struct {
	Agent string  `json:"agent"`
	USD   float64 `json:"usd"`
}

// Bounds of what is shown of one stop.
const (
	maxEvidence = 6
	maxDearest  = 5
	maxInput    = 200
	maxText     = 160
)

// slack: the time of a stop has whole seconds, and its call is within that second.
const slack = time.Second - 1

// Why gathers the evidence of a session's latest stops, at most so many, the
// latest last. Missing are transcripts that are gone.
func Why(s *guard.Session, most int, prices func() *price.Table, shared func() guard.Shared) (reasons []Reason, missing []string) {
	stops := Stops(s)
	stops = stops[max(0, len(stops)-most):]
	past, missing := recall(s, prices, shared)
	for _, t := range stops {
		reasons = append(reasons, past.reason(s, t))
	}
	return reasons, missing
}

// Stops are the events of a session in which the guard stepped in.
func Stops(s *guard.Session) (stops []guard.Trip) {
	for _, t := range s.Trips {
		switch t.Wire {
		case guard.WireLoop, guard.WireFailures, guard.WireSpend, guard.WireInvalid, guard.WireProtect:
			stops = append(stops, t)
		case guard.WireFanout:
			if t.Setting() != "fanout_warn" {
				stops = append(stops, t)
			}
		}
	}
	return stops
}

func (p *past) reason(s *guard.Session, t guard.Trip) Reason {
	r := Reason{
		Rule: t.Setting(), Wire: t.Wire, At: redact.Line(t.At, 30), Tool: redact.Line(t.Tool, 80), Detail: redact.Line(t.Detail, 120),
		Agent: shownAgent(t.Agent), Calls: []Evidence{},
	}
	at, err := time.Parse(time.RFC3339, t.At)
	if err != nil || !p.some {
		return r
	}
	until := at.Add(slack)
	paid := p.until(t, until)
	r.SpentUSD = spent(s, paid)
	if t.Wire == guard.WireSpend {
		r.Dearest, r.Agents = dearest(paid), shares(paid)
		return r
	}
	about := p.about(t, until)
	r.Earlier = max(0, len(about)-maxEvidence)
	for _, m := range about[r.Earlier:] {
		r.Calls = append(r.Calls, m.evidence())
	}
	return r
}

// spent is what the session had spent since its last reset, which no event of its
// list is older than.
func spent(s *guard.Session, paid []paidMoment) *float64 {
	var usd float64
	for _, m := range paid {
		usd += m.usd
	}
	usd = max(0, usd-s.BaselineUSD)
	return &usd
}
