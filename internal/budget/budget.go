// Package budget adds up what all sessions have spent: by day, week, month and
// project. It is pure: the totals come in, and so does the time, whose location
// says when a day begins. Which caps they reach is the guard's to say.
package budget

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Nano is a billionth of a dollar. Sums over many sessions are whole numbers,
// so that they are exact whatever the order they are added in.
type Nano int64

// Max is more than anybody spends, and so much less than an int64 holds that a
// hundred days of it can be added up.
const Max Nano = 1 << 56

const nanos = 1e9 // a dollar

// FromUSD rounds dollars to the nearest nano-dollar, once. What is no amount
// (negative, not a number) is nothing.
func FromUSD(usd float64) Nano {
	switch n := math.Round(usd * nanos); {
	case !(n > 0): // NaN, too
		return 0
	case n >= float64(Max):
		return Max
	default:
		return Nano(n)
	}
}

// USD is the amount in dollars.
func (n Nano) USD() float64 { return float64(n) / nanos }

// Plus adds two amounts; it stops at [Max].
func (n Nano) Plus(m Nano) Nano { return min(n+m, Max) }

// Sum is what was spent on one day, which [Key] names.
type Sum struct {
	Day  string
	Nano Nano
}

// Key names the day of t, in t's location: 2006-01-02.
func Key(t time.Time) string { return t.Format(time.DateOnly) }

// Totals are what all sessions together have spent.
type Totals struct {
	Days     []Sum // in order
	Project  Nano  // in the project asked for, since it was last started over
	Lifetime Nano  // in that project, ever
}

// Add puts what was spent on a day into a list that is in order, and keeps it so.
func Add(days []Sum, day string, n Nano) []Sum {
	i, found := slices.BinarySearchFunc(days, day, func(s Sum, day string) int { return cmp.Compare(s.Day, day) })
	if !found {
		days = slices.Insert(days, i, Sum{Day: day})
	}
	days[i].Nano = days[i].Nano.Plus(n)
	return days
}

// Day is what was spent on the day of now.
func (t Totals) Day(now time.Time) Nano { return t.in(DayOf(now)) }

// Week is what was spent since Monday.
func (t Totals) Week(now time.Time) Nano { return t.in(WeekOf(now)) }

// Month is what was spent since the first of the month.
func (t Totals) Month(now time.Time) Nano { return t.in(MonthOf(now)) }

func (t Totals) in(p Period) (sum Nano) {
	first, end := Key(p.Start), Key(p.End)
	for _, s := range t.Days {
		if s.Day >= first && s.Day < end {
			sum = sum.Plus(s.Nano)
		}
	}
	return sum
}
