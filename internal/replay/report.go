package replay

import (
	"cmp"
	"math"
	"slices"
	"time"

	"checkrein/internal/guard"
)

// Report is what came of all sessions, as `guard replay --json` prints it.
// Dollars are USD at API list prices.
type Report struct {
	Headline     string    `json:"headline"`
	Since        string    `json:"since"` // the first day; "" for all
	Sessions     int       `json:"sessions"`
	SpentUSD     float64   `json:"spent_usd"`
	EstimatedUSD float64   `json:"estimated_usd"`  // of that: models whose price is not known
	CapUSD       float64   `json:"cap_usd"`        // 0 where sessions have no cap
	OverCap      int       `json:"stopped_by_cap"` // sessions
	Stopped      int       `json:"stopped_by_any"` // sessions
	P95USD       float64   `json:"p95_usd"`        // of the sessions' spend, by nearest rank
	SuggestedUSD float64   `json:"suggested_cap_usd"`
	Thin         bool      `json:"thin"` // too few sessions for the figure to mean much
	Rules        []RuleSum `json:"rules"`
	Played       []Played  `json:"played"` // those that would have been stopped; with --list all
	Left         int       `json:"sessions_left_out"`
	Problems     int       `json:"files_not_read"`

	mixed bool    // sessions with caps of their own
	Errs  []error `json:"-"` // what could not be read
}

// RuleSum is what one rule would have done.
type RuleSum struct {
	Rule     string `json:"rule"`
	Sessions int    `json:"sessions"`
	Stops    int    `json:"stops"`
}

// LeastCapUSD is the least that is suggested.
const LeastCapUSD = 10

// Few is how many sessions a percentile needs to mean something.
const Few = 20

func (r *Report) take(_ *session, p Played) {
	r.Errs = append(r.Errs, p.problems...)
	if p.used {
		r.Played = append(r.Played, p)
	}
}

func (r *run) finish() *Report {
	out := &r.report
	out.Sessions, out.Left, out.Problems = len(out.Played), r.left, len(out.Errs)
	if !r.o.Since.IsZero() {
		out.Since = r.o.Since.Format(time.DateOnly)
	}
	spends := make([]float64, 0, len(out.Played))
	for i, p := range out.Played {
		spends = append(spends, p.SpentUSD)
		out.SpentUSD += p.SpentUSD
		out.EstimatedUSD += p.estimated
		out.mixed = out.mixed || i > 0 && p.CapUSD != out.CapUSD
		out.CapUSD = p.CapUSD
	}
	if len(out.Played) == 0 || out.mixed {
		out.CapUSD = r.limits("").SpendCapUSD
	}
	out.suggest(spends)
	out.count()
	return out
}

// suggest is the spend that 95 of 100 sessions stay within, rounded up to a cent.
func (r *Report) suggest(spends []float64) {
	r.P95USD = percentile(spends, 0.95)
	r.SuggestedUSD = max(LeastCapUSD, math.Ceil(r.P95USD*100-1e-6)/100)
	r.Thin = len(spends) < Few
}

// percentile is the smallest of the values that a share of them does not exceed
// (nearest rank).
func percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

func (r *Report) count() {
	sums := map[string]*RuleSum{}
	for _, p := range r.Played {
		met := map[string]bool{}
		for _, s := range p.Stops {
			sum := sums[s.Rule]
			if sum == nil {
				sum = &RuleSum{Rule: s.Rule}
				sums[s.Rule] = sum
			}
			sum.Stops += 1 + s.Again
			if !met[s.Rule] {
				met[s.Rule] = true
				sum.Sessions++
			}
		}
		if len(p.Stops) > 0 {
			r.Stopped++
		}
		if met[(guard.Trip{Wire: guard.WireSpend}).Setting()] {
			r.OverCap++
		}
	}
	r.Rules = []RuleSum{}
	for _, sum := range sums {
		r.Rules = append(r.Rules, *sum)
	}
	slices.SortFunc(r.Rules, func(a, b RuleSum) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(b.Stops, a.Stops), cmp.Compare(a.Rule, b.Rule))
	})
}
