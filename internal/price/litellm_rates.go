package price

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The five prices of a tier, as LiteLLM names them.
const (
	llInput  = "input_cost_per_token"
	llOutput = "output_cost_per_token"
	llRead   = "cache_read_input_token_cost"
	ll5m     = "cache_creation_input_token_cost"
	ll1h     = "cache_creation_input_token_cost_above_1hr"
)

// llTiers are the list prices; nil without one for input and output.
func (e *entry) llTiers() []Rates {
	own := e.llListed(0, "")
	if own.seen&seenInput == 0 || own.seen&seenOutput == 0 {
		return e.llRanges()
	}
	tiers := []Rates{own.filled()}
	for _, above := range e.thresholds() {
		tiers = append(tiers, tiers[0].raised(e.llListed(above, ""), above))
	}
	return tiers
}

// llListed are the prices listed for a service and prompts above a size.
func (e *entry) llListed(above int64, service string) rates {
	suffix := service
	if above > 0 {
		suffix = "_above_" + strconv.FormatInt(above/1000, 10) + "k_tokens" + service
	}
	return e.listed(llInput+suffix, llOutput+suffix, llRead+suffix, ll5m+suffix, ll1h+suffix)
}

// listed are the prices under these names, of input, output, cache reads and
// the two cache writes.
func (e *entry) listed(names ...string) (r rates) {
	to := [...]*float64{&r.Input, &r.Output, &r.CacheRead, &r.CacheWrite5m, &r.CacheWrite1h}
	for i, name := range names {
		if n, ok := e.price(name); ok {
			*to[i], r.seen = n, r.seen|seenInput<<i
		}
	}
	return r
}

// raised is r with the prices of own, which holds above a prompt size. What own
// does not list costs as much more or less as input does.
func (r Rates) raised(own rates, above int64) Rates {
	if own.seen&seenInput != 0 && r.Input > 0 {
		r = r.times(own.Input / r.Input)
	}
	to := [...]*float64{&r.Input, &r.Output, &r.CacheRead, &r.CacheWrite5m, &r.CacheWrite1h}
	from := [...]float64{own.Input, own.Output, own.CacheRead, own.CacheWrite5m, own.CacheWrite1h}
	for i := range to {
		if own.seen&(seenInput<<i) != 0 {
			*to[i] = from[i]
		}
		*to[i] = clean(*to[i])
	}
	r.Above = above
	return r
}

// thresholds are the prompt sizes at which some price changes, rising.
func (e *entry) thresholds() (sizes []int64) {
	for name := range e.members {
		_, rest, _ := strings.Cut(name, "put_cost_per_token_above_") // input and output
		size, isTier := strings.CutSuffix(rest, "k_tokens")
		if n, err := strconv.ParseInt(size, 10, 32); isTier && err == nil && n > 0 && !slices.Contains(sizes, n*1000) {
			sizes = append(sizes, n*1000)
		}
	}
	slices.Sort(sizes)
	return sizes
}

// llRanges reads tiered_pricing: a list of ranges with their prices.
func (e *entry) llRanges() (tiers []Rates) {
	var list []jsontext.Value
	if v := e.members["tiered_pricing"]; v.Kind() != '[' || json.Unmarshal(v, &list) != nil {
		return nil
	}
	for _, v := range list {
		part := entry{id: e.id, members: members(v), unit: e.unit}
		var bounds []float64
		_ = json.Unmarshal(part.members["range"], &bounds)
		own := part.llListed(0, "")
		e.err = cmp.Or(e.err, part.err)
		if own.seen&seenInput == 0 || own.seen&seenOutput == 0 || len(bounds) == 0 {
			return nil
		}
		own.Above = int64(min(max(bounds[0], 0), maxTier))
		tiers = append(tiers, own.filled())
	}
	return rising(tiers)
}

// rising are tiers in their order, or none where they don't start at 0.
func rising(tiers []Rates) []Rates {
	slices.SortFunc(tiers, func(a, b Rates) int { return cmp.Compare(a.Above, b.Above) })
	if p := (Period{Tiers: tiers}); p.check(false) != nil {
		return nil
	}
	return tiers
}

// llOffer is what a service costs: a factor where it is one for all prices.
func (e *entry) llOffer(service string, list []Rates) Offer {
	var tiers []Rates
	ratio, same := 0.0, true
	for _, l := range list {
		own := e.llListed(l.Above, service)
		if own.seen&seenInput != 0 && l.Input > 0 {
			same = same && (ratio == 0 || clean(own.Input/l.Input) == ratio)
			ratio = clean(own.Input / l.Input)
		}
		if ratio == 0 {
			return Offer{}
		}
		r := l.times(ratio).raised(own, l.Above)
		same = same && r == l.times(ratio).raised(rates{}, l.Above)
		tiers = append(tiers, r)
	}
	if same {
		return Offer{Factor: ratio}
	}
	return Offer{Tiers: tiers}
}
