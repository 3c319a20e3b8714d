package trial

import (
	"checkrein/internal/harness"
)

// Short and Long are the tokens that an estimate assumes for one run: a short
// fix and a long one, mostly cached reads. Both are guesses.
func Short() harness.Usage {
	return harness.Usage{Input: 20_000, CacheRead: 150_000, CacheWrite: 20_000, Output: 4_000}
}

// Long is the long one.
func Long() harness.Usage {
	return harness.Usage{Input: 150_000, CacheRead: 3_000_000, CacheWrite: 150_000, Output: 50_000}
}

// Adapter is a harness as one drive runs it: its variant, the model it will
// use where that is known, and prices.
type Adapter struct {
	harness.Headless
	Variant Variant
	Model   string // pinned, or from the harness's own config; "" when unknown
	Found   bool   // its program is on PATH
	Version string // "" when it was not asked or did not say
	// Price and PriceSum are as in harness.Reading.
	Price, PriceSum func(u harness.Usage, model string) (float64, bool)
}

// Priced reports whether the cost of a run can be measured.
func (a Adapter) Priced() bool { return a.ReportsCost || a.hasPrice(a.Model) }

func (a Adapter) hasPrice(model string) bool {
	if model == "" {
		return false
	}
	_, ok := a.PriceSum(harness.Usage{}, model)
	return ok
}

// Models are the models that the low and the high estimate assume; none when
// the harness cannot be priced.
func (a Adapter) Models() []string {
	switch {
	case a.hasPrice(a.Model):
		return []string{a.Model, a.Model}
	case a.ReportsCost && a.LowModel != "":
		return []string{a.LowModel, a.HighModel}
	}
	return nil
}

// Range is what one run is expected to cost, from a short to a long one; false
// when the harness cannot be priced.
func (a Adapter) Range() (low, high float64, ok bool) {
	models := a.Models()
	if models == nil {
		return 0, 0, false
	}
	low, okLow := a.PriceSum(Short(), models[0])
	high, okHigh := a.PriceSum(Long(), models[1])
	return low, high, okLow && okHigh
}

// High is the high estimate of one run, 0 for a harness without prices.
func (a Adapter) High() float64 {
	_, high, ok := a.Range()
	if !ok || !a.Priced() {
		return 0
	}
	return high
}

// Unpriced says why the harness cannot be priced and what to do. The model's
// name in it is untrusted: show makes it safe.
func (a Adapter) Unpriced(show func(string) string) (reason, fix string) {
	reason = "the price table has no price for " + show(a.Model)
	if a.Model == "" {
		reason = "it reports no cost, and its model is not known beforehand"
	}
	fix = "Pass --allow-unpriced " + a.Name + " to run it anyway; its runs count $0"
	if !a.RunsUnpriced {
		fix = "Pin one with --model " + a.Name + "=<id>"
		if a.Model == "" {
			reason = a.Label + "'s config names no model"
		}
	}
	return reason, fix
}

// Reading is how the output of a run of this adapter is read.
func (a Adapter) Reading(testCmd string) harness.Reading {
	return harness.Reading{TestCmd: testCmd, Model: a.Model, Price: a.Price, PriceSum: a.PriceSum}
}
