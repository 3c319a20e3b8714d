package trial

import (
	"maps"
	"slices"

	"checkrein/internal/harness"
)

// Book keeps what a run may still spend. Money is reserved before a trial
// starts and settled when its agent has ended, so trials side by side cannot
// spend the same dollar twice.
type Book struct {
	Cap   float64 // dollars, above zero
	Spent float64 // charged so far, earlier commands included
	held  map[string]float64
}

// dust is less than any charge: a difference this small is rounding.
const dust = 1e-9

// Left is what is neither spent nor reserved.
func (b *Book) Left() float64 { return b.Cap - b.Spent - b.Held() }

// Held is what is reserved now. It adds up in a fixed order, so that the same
// reservations always give the same sum.
func (b *Book) Held() float64 {
	total := 0.0
	for _, run := range slices.Sorted(maps.Keys(b.held)) {
		total += b.held[run]
	}
	return total
}

// Reserve sets aside what a run may spend: its high estimate, or what is left
// when that is less. It is false when nothing is left. A run that counts
// nothing (high 0) reserves nothing, but starts only while something is left.
func (b *Book) Reserve(run string, high float64) (usd float64, ok bool) {
	if b.Spent >= b.Cap || (len(b.held) > 0 && b.Left() <= dust) {
		return 0, false
	}
	usd = min(b.Left(), high)
	if b.held == nil {
		b.held = map[string]float64{}
	}
	b.held[run] = usd
	return usd, true
}

// Settle charges a run and gives the rest of its reservation back. It returns
// that rest, 0 when the charge was more.
func (b *Book) Settle(run string, charge float64) (rest float64) {
	rest = max(b.held[run]-charge, 0)
	delete(b.held, run)
	b.Spent += charge
	return rest
}

// Bill is what one run is charged, and what is known of its cost.
type Bill struct {
	Charge float64
	Cost   *float64 // dollars; nil when it could not be measured
	Source string   // harness.Reported, …; "" when no model was reached
}

// Span is one stretch of time that a run with an unknown cost pays one high
// estimate for.
const Span = 900.0 // seconds

// Charge is what a run that came to an end counts toward the cap: its measured
// cost; else, where the harness has prices, one high estimate per Span when it
// was cut off at its time limit, and one when its output shows model work; else
// nothing.
func Charge(o harness.Outcome, priced bool, high float64, timedOut bool, seconds float64) Bill {
	switch {
	case measured(o):
		return Bill{*o.Cost, o.Cost, o.Source}
	case !priced:
		return Bill{Source: harness.Unpriced}
	case timedOut:
		return Bill{Charge: high * max(1, seconds/Span), Source: harness.Unmeasured}
	case o.Worked:
		return Bill{Charge: high, Source: harness.Unmeasured}
	}
	return Bill{}
}

// ChargeLost is what a run counts whose end nobody saw, because the driver was
// killed: its cost where its output holds the final one, else what had been
// reserved for it, or what it had reported if that is more.
func ChargeLost(o harness.Outcome, priced bool, reserved float64) Bill {
	switch {
	case measured(o) && o.Source != harness.Partial:
		return Bill{*o.Cost, o.Cost, o.Source}
	case !priced:
		return Bill{Source: harness.Unpriced}
	case measured(o):
		return Bill{Charge: max(reserved, *o.Cost), Source: harness.Unmeasured}
	}
	return Bill{Charge: reserved, Source: harness.Unmeasured}
}

// measured reports that the output holds a cost. One below zero would make room
// under the cap, so it counts as none.
func measured(o harness.Outcome) bool { return o.Cost != nil && *o.Cost >= 0 }
