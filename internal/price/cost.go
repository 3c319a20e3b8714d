package price

import "checkrein/internal/harness"

// cost prices one response as what the id says: a gateway may put fast mode
// into it, and a cloud the region.
func (f Found) cost(u harness.Usage, day string) float64 {
	u.Terms.Fast = u.Terms.Fast || f.Fast
	p := f.Model.On(day)
	usd := p.rates(u).cost(u) * p.region(u.Terms.Regional, f.Profile)
	return usd + float64(u.WebSearches)*p.WebSearch/1000
}

// rates are those of the request's prompt size under its terms. Fast mode and
// priority are two names for one dearer service, so only one of them counts;
// a service without a listed price is charged at the list price.
func (p *Period) rates(u harness.Usage) Rates {
	prompt := u.Input + u.CacheRead + u.CacheWrite
	r := tier(p.Tiers, prompt)
	fast := u.Terms.Fast && p.Fast.listed()
	if fast {
		r = p.Fast.on(r, prompt)
	}
	switch u.Terms.Tier {
	case harness.Batch:
		r = p.Batch.on(r, prompt)
	case harness.Flex:
		r = p.Flex.on(r, prompt)
	case harness.Priority:
		if !fast {
			r = p.Priority.on(r, prompt)
		}
	}
	return r
}

// region is the factor for where a request ran. One that is regional by both
// its usage and its id is charged once.
func (p *Period) region(regional, profile bool) float64 {
	factor := 1.0
	if regional && p.Regional > 0 {
		factor = p.Regional
	}
	if profile && p.Profile > 0 {
		factor = max(factor, p.Profile)
	}
	return factor
}

func (o Offer) listed() bool { return o.Factor > 0 || len(o.Tiers) > 0 }

// on is the offer's price for a request that costs r by the list.
func (o Offer) on(r Rates, prompt int64) Rates {
	switch {
	case len(o.Tiers) > 0:
		return tier(o.Tiers, prompt)
	case o.Factor > 0:
		return r.times(o.Factor)
	}
	return r
}

func tier(tiers []Rates, prompt int64) Rates {
	r := tiers[0]
	for _, t := range tiers[1:] {
		if prompt > t.Above {
			r = t
		}
	}
	return r
}

func (r Rates) times(factor float64) Rates {
	r.Input *= factor
	r.Output *= factor
	r.CacheRead *= factor
	r.CacheWrite5m *= factor
	r.CacheWrite1h *= factor
	return r
}

// cost charges writes without a known 1-hour part at the 5-minute rate.
func (r Rates) cost(u harness.Usage) float64 {
	long := min(u.CacheWrite1h, u.CacheWrite)
	total := float64(u.Input)*r.Input + float64(u.CacheRead)*r.CacheRead +
		float64(u.CacheWrite-long)*r.CacheWrite5m + float64(long)*r.CacheWrite1h + float64(u.Output)*r.Output
	return total / 1_000_000
}

// On are an offer's prices for what the list charges, a tier each; nil where
// none is listed.
func (o Offer) On(list []Rates) []Rates {
	if len(o.Tiers) > 0 || o.Factor == 0 {
		return o.Tiers
	}
	tiers := make([]Rates, len(list))
	for i, r := range list {
		tiers[i] = r.times(o.Factor)
	}
	return tiers
}
