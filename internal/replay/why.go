package replay

import (
	"os"
	"slices"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
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

// slack is how much later than its record a call's hook may be: the time of a stop
// has whole seconds.
const slack = 2 * time.Second

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

// past is what a session's transcripts tell, in order of time.
type past struct {
	calls []moment
	paid  []paidMoment
	some  bool // a transcript is left
}

type paidMoment struct {
	at    time.Time
	lane  *lane
	model string
	usd   float64
}

func recall(s *guard.Session, prices func() *price.Table, shared func() guard.Shared) (p past, missing []string) {
	from := sources(s.Harness)
	if len(from) == 0 {
		return p, nil
	}
	rec := recording{}
	for path, f := range s.Files {
		l := &lane{path: path, agent: f.Agent}
		if _, err := os.Stat(path); err != nil || l.read(from[0]) != nil {
			missing = append(missing, path)
			continue
		}
		rec.lanes = append(rec.lanes, l)
	}
	slices.Sort(missing)
	slices.SortFunc(rec.lanes, func(a, b *lane) int { return strings.Compare(a.path, b.path) })
	p.some = len(rec.lanes) > 0
	p.count(s, rec, prices, shared)
	return p, missing
}

// count prices the responses once more: what the session remembers is their sum.
func (p *past) count(s *guard.Session, rec recording, prices func() *price.Table, shared func() guard.Shared) {
	again := guard.New(s.ID, s.Harness, time.Time{})
	counter := guard.NewCounter(again, prices, shared, true)
	files := map[*lane]*guard.File{}
	for _, l := range rec.lanes {
		files[l] = &guard.File{Agent: l.agent}
	}
	for _, m := range rec.inOrder(time.Time{}) {
		switch m.event.Kind {
		case harness.ToolCall:
			p.calls = append(p.calls, m)
		case harness.Response:
			before := again.TotalUSD()
			counter.Begin(files[m.lane], "")
			counter.Add(m.event)
			if usd := again.TotalUSD() - before; usd > 0 {
				p.paid = append(p.paid, paidMoment{m.at, m.lane, m.event.Model, usd})
			}
		}
	}
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
	r.SpentUSD = p.spent(s, until)
	if t.Wire == guard.WireSpend {
		r.Dearest, r.Agents = p.dearest(until), p.shares(until)
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
func (p *past) spent(s *guard.Session, until time.Time) *float64 {
	var usd float64
	for _, m := range p.paid {
		if !m.at.After(until) {
			usd += m.usd
		}
	}
	usd = max(0, usd-s.BaselineUSD)
	return &usd
}

// about are the calls that a stop is about, up to it.
func (p *past) about(t guard.Trip, until time.Time) (found []moment) {
	for _, m := range p.calls {
		if !m.at.After(until) && (t.Agent == "" || t.Agent == m.lane.agent) && concerns(t, m.event) {
			found = append(found, m)
		}
	}
	switch t.Wire {
	case guard.WireFailures, guard.WireInvalid: // those in a row
		return found[max(0, len(found)-maxEvidence):]
	case guard.WireProtect:
		return found[max(0, len(found)-1):]
	}
	return found
}

func concerns(t guard.Trip, e harness.Event) bool {
	switch t.Wire {
	case guard.WireLoop:
		return e.Detail != nil && slices.Contains(t.Calls, guard.Fingerprint(e.Tool, e.Detail.Input))
	case guard.WireFailures:
		return e.Result == harness.Failed
	case guard.WireInvalid:
		return e.Invalid
	case guard.WireFanout, guard.WireProtect:
		return redact.Line(e.Tool, 80) == t.Tool
	}
	return false
}
