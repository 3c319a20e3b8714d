// Package price turns tokens into dollars at API list prices.
//
// The table is data (prices.json, embedded): per model a list of periods, each
// with tiers by prompt size, so that a record is priced at the rates of its own
// day. The package is pure: no clock, no files, no network. It never invents a
// price; a model it does not know is priced by [Table.Estimate], which says so
// by its name, and is never free.
package price

import (
	"time"

	"checkrein/internal/harness"
)

// Rates are USD per million tokens. A request whose prompt falls in a tier is
// charged that tier's rates as a whole.
type Rates struct {
	// Above is the tier's lower bound: it holds for prompts of more tokens.
	Above        int64    `json:"above,omitzero"`
	Input        float64  `json:"input"`
	Output       float64  `json:"output"`
	CacheRead    float64  `json:"cache_read"`
	CacheWrite5m *float64 `json:"cache_write_5m,omitzero"` // absent: no listed price, writes cost what input costs
	CacheWrite1h *float64 `json:"cache_write_1h,omitzero"` // absent: as the 5-minute write
}

// Period is a span of days with the same prices. From is its first day, To the
// first day after it (both YYYY-MM-DD, UTC; "" leaves that end open).
type Period struct {
	From  string  `json:"from,omitzero"`
	To    string  `json:"to,omitzero"`
	Tiers []Rates `json:"tiers"` // lowest first
}

// Model is one priced model. Successor names the model that replaced it: from
// the successor's first day on, it no longer stands for its family's prices.
type Model struct {
	ID        string   `json:"id"`
	Successor string   `json:"successor,omitzero"`
	Source    string   `json:"source"`
	Checked   string   `json:"checked"`
	Periods   []Period `json:"periods"` // oldest first
}

// Table is a price list, checked against its sources on the day Checked.
type Table struct {
	Schema  int     `json:"schema"`
	Unit    string  `json:"unit"`
	Checked string  `json:"checked"`
	Models  []Model `json:"models"`
}

// Cost is the dollar cost of one response. It is false when the model has no
// price: see [Table.Estimate]. A zero time means today's prices.
func (t *Table) Cost(u harness.Usage, model string, at time.Time) (usd float64, ok bool) {
	m := t.Match(model)
	if m == nil {
		return 0, false
	}
	return m.cost(u, at), true
}

func (m *Model) cost(u harness.Usage, at time.Time) float64 {
	return m.rates(at, u.Input+u.CacheRead+u.CacheWrite).cost(u)
}

// cost charges writes without a known 1-hour part at the 5-minute rate.
func (r Rates) cost(u harness.Usage) float64 {
	write5m := r.Input
	if r.CacheWrite5m != nil {
		write5m = *r.CacheWrite5m
	}
	write1h := write5m
	if r.CacheWrite1h != nil {
		write1h = *r.CacheWrite1h
	}
	long := min(u.CacheWrite1h, u.CacheWrite)
	total := float64(u.Input)*r.Input + float64(u.CacheRead)*r.CacheRead +
		float64(u.CacheWrite-long)*write5m + float64(long)*write1h + float64(u.Output)*r.Output
	return total / 1_000_000
}

// rates finds the period that holds on a day, else the nearest one, and in it
// the tier of a prompt of so many tokens.
func (m *Model) rates(at time.Time, prompt int64) Rates {
	period := m.Periods[len(m.Periods)-1]
	if !at.IsZero() {
		day := at.UTC().Format(time.DateOnly)
		for _, p := range m.Periods {
			if p.To == "" || day < p.To {
				period = p
				break
			}
		}
	}
	tier := period.Tiers[0]
	for _, t := range period.Tiers[1:] {
		if prompt > t.Above {
			tier = t
		}
	}
	return tier
}
