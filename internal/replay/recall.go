package replay

import (
	"os"
	"slices"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/price"
)

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
	p.count(s, rec, from[0], prices, shared)
	return p, missing
}

// count prices the responses once more: what the session remembers is their sum.
func (p *past) count(s *guard.Session, rec recording, from harness.Replay, prices func() *price.Table, shared func() guard.Shared) {
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
				if !from.PaidFirst {
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
