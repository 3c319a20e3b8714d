package usage

import (
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// cost is what stands for one response.
type cost struct {
	usd, estimated, told float64
	unpriced             int64
	exact                bool // all of it is list price times tokens
}

// prices looks up each model once: finding one in the table costs more than the
// arithmetic, and a year has hundreds of thousands of responses.
type prices struct {
	table  *price.Table
	models map[string]*price.Table // by model id; nil: it has no price
	last   string                  // the model before, which most often comes again
	rates  *price.Table
}

func newPrices(t *price.Table) *prices { return &prices{table: t, models: map[string]*price.Table{}} }

// of is a table with no other model than this one; nil when it has no price.
func (p *prices) of(model string) *price.Table {
	if model == p.last && p.rates != nil {
		return p.rates
	}
	t, known := p.models[model]
	if !known {
		if m := p.table.Match(model); m != nil {
			one := *p.table
			one.Models = []price.Model{*m}
			t = &one
		}
		p.models[model] = t
	}
	p.last, p.rates = model, t
	return t
}

// cost prices a response by the list; else by what the harness says; else by the
// dearest model of its family. A model of no family we price is left without
// dollars: those of another maker's model would say nothing.
func (p *prices) cost(r *Response, harnessName string) cost {
	at := time.Time{}
	if r.At != 0 {
		at = time.UnixMilli(r.At)
	}
	if t := p.of(r.Model); t != nil {
		usd, _ := t.Cost(r.Usage, r.Model, at)
		c := cost{usd: usd, exact: r.Guessed == 0}
		if r.Guessed > 0 {
			sure, _ := t.Cost(without(r.Usage, r.Guessed), r.Model, at)
			c.estimated = usd - sure
		}
		return c
	}
	if r.Told > 0 {
		return cost{usd: r.Told, told: r.Told}
	}
	if price.Family(r.Model, harnessName) == "" {
		return cost{unpriced: r.Usage.Tokens()}
	}
	usd := p.table.Estimate(r.Usage, r.Model, harnessName, at)
	return cost{usd: usd, estimated: usd}
}

func without(u harness.Usage, output int64) harness.Usage {
	u.Output = max(0, u.Output-output)
	return u
}
