// Package price turns tokens into dollars at API list prices.
//
// The table is data (prices.json, embedded): per model a list of periods, each
// with tiers by prompt size and what fast mode, service tiers, regions and web
// searches cost there, so that a record is priced at the rates of its own day.
// Tables can be laid over each other: the user's own prices above the embedded
// ones, imported ones beneath. The package is pure: no clock, no files, no
// network. It never invents a price; a model it does not know is priced by
// [Table.Estimate], which says so by its name, and is never free.
package price

import (
	"time"

	"checkrein/internal/harness"
)

// Rates are USD per million tokens. A request whose prompt falls in a tier is
// charged that tier's rates as a whole. What a table leaves out is filled in
// when it is read: cache reads and writes cost what input costs, 1-hour writes
// what 5-minute writes cost.
type Rates struct {
	Above        int64 // the tier's lower bound: it holds for prompts of more tokens
	Input        float64
	Output       float64
	CacheRead    float64
	CacheWrite5m float64
	CacheWrite1h float64
}

// Offer is what a service costs beside the list price: that times Factor, or
// rates of its own. The zero value means that no price is listed.
type Offer struct {
	Factor float64
	Tiers  []Rates
}

// Period is a span of days with the same prices. From is its first day, To the
// first day after it (both YYYY-MM-DD, UTC; "" leaves that end open).
type Period struct {
	From, To              string
	Tiers                 []Rates // lowest first
	Like                  string  // instead of Tiers: the model that served this name then
	Fast                  Offer   // the model's fast mode
	Batch, Flex, Priority Offer   // service tiers
	Regional              float64 // factor where a request was kept to one region; 0: none
	Profile               float64 // factor on a cloud's regional profile (Bedrock us., eu., …); 0: none
	WebSearch             float64 // USD per 1,000 searches
}

// Origin tells which layer a model's row is from.
type Origin uint8

// The layers, the one that wins first.
const (
	Yours    Origin = iota // the user's own prices
	BuiltIn                // the embedded table
	Imported               // a table the user imported
)

// Model is one priced model. Successor names the model that replaced it: from
// the successor's first day on, it no longer stands for its family's prices.
type Model struct {
	ID        string
	Aliases   []string // other ids of the same model
	Successor string
	Source    string
	Checked   string // the day its source was read
	Note      string // where sources disagree, and what is not known
	Periods   []Period
	Origin    Origin
}

// Table is a price list, checked against its sources on the day Checked.
type Table struct {
	Checked string
	Models  []Model

	beneath func(id string) *Table // rows of a model that has surely none here, or all for ""; may be nil
}

// Cost is the dollar cost of one response. It is false when the model has no
// price: see [Table.Estimate]. A zero time means the day the table was checked.
func (t *Table) Cost(u harness.Usage, model string, at time.Time) (usd float64, ok bool) {
	return t.Find(model).Cost(u, at)
}

// Cost is [Table.Cost] for one who has found the row already.
func (f Found) Cost(u harness.Usage, at time.Time) (usd float64, ok bool) {
	if f.Model == nil || f.Model.standsIn() {
		return 0, false
	}
	return f.cost(u, day(at, f.checked)), true
}

// day is the day of a record, or another one where the record has no time.
func day(at time.Time, otherwise string) string {
	if at.IsZero() {
		return otherwise
	}
	return at.UTC().Format(time.DateOnly)
}

// On is the period that holds on a day, else the nearest one.
func (m *Model) On(day string) *Period {
	for i := range m.Periods {
		if p := &m.Periods[i]; p.To == "" || day < p.To {
			return p
		}
	}
	return &m.Periods[len(m.Periods)-1]
}

// standsIn reports whether the row names other models instead of prices.
func (m *Model) standsIn() bool { return m.Periods[0].Like != "" }
