package replay

import (
	"fmt"
	"math"
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

// past is what a session's transcripts tell, in order of time.
type past struct {
	calls []moment
	paid  []paidMoment
	some  bool // a transcript is left
}

// paidMoment is a response. The guard knew of it from a time on: Claude Code's when
// the next one was asked for, or the agent had stopped; zero where neither was.
type paidMoment struct {
	at, known time.Time
	lane      *lane
	model     string
	usd       float64
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
	newest := map[*lane]int{} // index of the response that is not known yet, from 1 on
	for _, m := range rec.inOrder(time.Time{}) {
		switch m.event.Kind {
		case harness.ToolCall:
			p.calls = append(p.calls, m)
			if n := newest[m.lane]; n > 0 {
				p.paid[n-1].known = time.Time{} // it goes on
			}
		case harness.Prompt:
			p.settle(newest, m)
		case harness.Response:
			p.settle(newest, m)
			before := again.TotalUSD()
			counter.Begin(files[m.lane], "")
			counter.Add(m.event)
			if usd := again.TotalUSD() - before; usd > 0 {
				p.paid = append(p.paid, paidMoment{m.at, m.at, m.lane, m.event.Model, usd})
				if s.Harness == harness.ClaudeCode {
					newest[m.lane] = len(p.paid)
				}
			}
		}
	}
}

// settle notes that the newest response of a file is known from now on.
func (p *past) settle(newest map[*lane]int, m moment) {
	if n := newest[m.lane]; n > 0 {
		p.paid[n-1].known = m.at
		delete(newest, m.lane)
	}
}

// until are the responses that the guard knew of at a stop. At a prompt and at the
// end of a batch, which name no tool, it knew of the newest.
func (p *past) until(t guard.Trip, at time.Time) (list []paidMoment) {
	for _, m := range p.paid {
		if t.Tool == "" {
			m.known = m.at
		}
		if !m.known.IsZero() && !m.known.After(at) {
			list = append(list, m)
		}
	}
	return list
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

// about are the calls that a stop is about, up to it.
func (p *past) about(t guard.Trip, until time.Time) (found []moment) {
	var newest moment
	for _, m := range p.calls {
		if m.at.After(until) || t.Agent != "" && t.Agent != m.lane.agent {
			continue
		}
		if newest = m; concerns(t, m.event) {
			found = append(found, m)
		}
	}
	if n := len(found); t.Wire == guard.WireFailures && n > 0 && found[n-1] == newest {
		found = found[:n-1] // the call that was held up, whatever came of it later
	}
	return found[max(0, len(found)-inARow(t)):]
}

// inARow is how many calls a stop is about at most; its words begin with that.
func inARow(t guard.Trip) (n int) {
	switch t.Wire {
	case guard.WireFailures, guard.WireInvalid:
		if _, err := fmt.Sscan(t.Detail, &n); err != nil || n < 1 {
			return maxEvidence
		}
		return n
	case guard.WireProtect:
		return 1
	}
	return math.MaxInt
}

func concerns(t guard.Trip, e harness.Event) bool {
	switch t.Wire {
	case guard.WireLoop:
		return e.Detail != nil && slices.Contains(t.Calls, guard.Fingerprint(e.Tool, e.Detail.Input))
	case guard.WireFailures:
		return e.Result == harness.Failed
	case guard.WireInvalid:
		return e.Invalid || t.Setting() == "failure_streak" && e.Result == harness.Failed
	case guard.WireFanout, guard.WireProtect:
		return redact.Line(e.Tool, 80) == t.Tool
	}
	return false
}
