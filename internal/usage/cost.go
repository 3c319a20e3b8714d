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
	listed               bool // the model has a list price
}

// prices looks up each model once: finding one in the table costs more than the
// arithmetic, and a year has hundreds of thousands of responses.
type prices struct {
	table  *price.Table
	models map[string]price.Found
	last   string // the model before, which most often comes again
	found  price.Found
}

func newPrices(t *price.Table) *prices { return &prices{table: t, models: map[string]price.Found{}} }

func (p *prices) of(model string) price.Found {
	if model == p.last && p.found.Model != nil {
		return p.found
	}
	f, known := p.models[model]
	if !known {
		f = p.table.Find(model)
		p.models[model] = f
	}
	p.last, p.found = model, f
	return f
}

// cost prices a response by the list; else by what the harness says; else by the
// dearest model of its family. A model of no family we price is left without
// dollars: those of another maker's model would say nothing.
func (p *prices) cost(r *Response, harnessName string) cost {
	at := time.Time{}
	if r.At != 0 {
		at = time.UnixMilli(r.At)
	}
	found := p.of(r.Model)
	if usd, ok := found.Cost(r.Usage, at); ok {
		c := cost{usd: usd, listed: true}
		if r.Guessed > 0 {
			sure, _ := found.Cost(without(r.Usage, r.Guessed), at)
			c.estimated = usd - sure
		}
		return c
	}
	if r.Told > 0 {
		return cost{usd: r.Told, told: r.Told}
	}
	f := p.table.Price(r.Usage, r.Model, harnessName, at)
	if f.Basis == price.ByDearest {
		return cost{unpriced: r.Usage.Tokens()}
	}
	return cost{usd: f.USD, estimated: f.USD}
}

func without(u harness.Usage, output int64) harness.Usage {
	u.Output = max(0, u.Output-output)
	return u
}
