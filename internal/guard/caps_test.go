package guard

import (
	"slices"
	"testing"
	"time"
)

// TestTheTightestCapStops: of those that are reached, the smallest in dollars,
// with what the user allowed the session on top.
func TestTheTightestCapStops(t *testing.T) {
	b := Budget{Day: Used{USD: 5, Key: "day 1"}, Week: Used{USD: 25, Key: "week 1"}, Month: Used{USD: 75}, Project: Used{USD: 30}}
	for _, c := range []struct {
		own, day, week, month, project, tokens float64
		grants                                 []grant
		want                                   []Rule // the reached ones; the first is the tightest
	}{
		{},
		{own: 4.01, day: 5.01, week: 25.01, month: 75.01, project: 30.01, tokens: 101},
		{own: 4, day: 5, week: 25, month: 75, project: 30, want: []Rule{SpendCapUSD, DayCapUSD, WeekCapUSD, MonthCapUSD, ProjectCapUSD}},
		{day: 5, week: 3, want: []Rule{WeekCapUSD, DayCapUSD}},
		{day: 5, week: 5, month: 5, want: []Rule{DayCapUSD, WeekCapUSD, MonthCapUSD}},
		{project: 1, tokens: 1, want: []Rule{ProjectCapUSD, CapTokens}},
		{tokens: 100, want: []Rule{CapTokens}},
		{day: 5, week: 6, grants: []grant{{"day 1", 1}}, want: []Rule{WeekCapUSD}},
		{day: 5, week: 6, grants: []grant{{"day 0", 1}, {"week 1", 19}}, want: []Rule{DayCapUSD, WeekCapUSD}},
	} {
		s := New("s", "claude-code", time.Time{})
		s.CostUSD, s.Tokens, s.Grants = 4, 100, c.grants
		l := Limits{SpendCapUSD: c.own, Rules: Rules{
			DayCapUSD: c.day, WeekCapUSD: c.week, MonthCapUSD: c.month, ProjectCapUSD: c.project, CapTokens: c.tokens,
		}}
		var got []Rule
		for _, one := range s.Caps(l, b) {
			if one.Reached() {
				got = append(got, one.Rule)
			}
		}
		tightest, over := s.Reached(l, b)
		if over != (len(c.want) > 0) || over && tightest.Rule != c.want[0] {
			t.Errorf("%+v: %+v, %v", c, tightest, over)
		}
		slices.Sort(c.want)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: reached %v", c, got)
		}
	}
}
