package budget

import (
	"math"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, wherever they run
)

func in(t *testing.T, zone, at string) time.Time {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	moment, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return moment.In(location)
}

// TestPeriods: first instants and ends as the zone's own clock has them.
func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		zone, at         string
		of               func(time.Time) Period
		start, end, note string
	}{
		{"UTC", "2026-11-30T12:00:00Z", DayOf, "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z", "the end of a month"},
		{"UTC", "2026-11-30T00:00:00Z", DayOf, "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z", "its first instant"},
		{"UTC", "2026-11-30T23:59:59.999999999Z", DayOf, "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z", "its last"},
		{"UTC", "2026-12-31T12:00:00Z", MonthOf, "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "the end of a year"},
		{"UTC", "2028-02-29T12:00:00Z", MonthOf, "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z", "a leap year"},
		{"UTC", "2026-01-31T12:00:00Z", MonthOf, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "the next month is shorter"},
		{"UTC", "2026-11-30T12:00:00Z", WeekOf, "2026-11-30T00:00:00Z", "2026-12-07T00:00:00Z", "a Monday"},
		{"UTC", "2026-11-29T12:00:00Z", WeekOf, "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z", "a Sunday"},
		{"UTC", "2027-01-02T12:00:00Z", WeekOf, "2026-12-28T00:00:00Z", "2027-01-04T00:00:00Z", "across the year"},
		{"Asia/Kathmandu", "2026-11-30T12:00:00Z", DayOf, "2026-11-29T18:15:00Z", "2026-11-30T18:15:00Z", "+05:45"},
		{"Pacific/Kiritimati", "2026-11-30T12:00:00Z", DayOf, "2026-11-30T10:00:00Z", "2026-12-01T10:00:00Z", "+14"},

		{"Europe/Berlin", "2026-03-29T12:00:00Z", DayOf, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "23 hours"},
		{"Europe/Berlin", "2026-10-25T12:00:00Z", DayOf, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "25 hours"},
		{"Europe/Berlin", "2026-10-25T12:00:00Z", WeekOf, "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z", "169 hours"},
		{"Europe/Berlin", "2026-03-10T12:00:00Z", MonthOf, "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z", "an hour short"},

		// São Paulo, until 2019: 0:00 is missing in spring, 23:00 comes twice in autumn.
		{"America/Sao_Paulo", "2018-11-04T12:00:00Z", DayOf, "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z", "begins at 1:00"},
		{"America/Sao_Paulo", "2018-11-03T12:00:00Z", DayOf, "2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z", "ends at 1:00"},
		{"America/Sao_Paulo", "2018-02-17T12:00:00Z", DayOf, "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z", "23:00 twice"},
		{"America/Sao_Paulo", "2018-02-18T02:30:00Z", DayOf, "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z", "the second 23:30"},
		{"America/Sao_Paulo", "2018-02-18T12:00:00Z", DayOf, "2018-02-18T03:00:00Z", "2018-02-19T03:00:00Z", "the day after"},
		// Havana: 0:00 is missing in spring and comes twice in autumn.
		{"America/Havana", "2026-03-08T12:00:00Z", DayOf, "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", "begins at 1:00"},
		{"America/Havana", "2026-11-01T12:00:00Z", DayOf, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", "0:00 twice"},
		{"America/Havana", "2026-11-01T04:30:00Z", DayOf, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", "the first 0:30"},
		{"America/Havana", "2026-11-01T05:30:00Z", DayOf, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", "the second 0:30"},
		{"America/Havana", "2026-10-31T12:00:00Z", DayOf, "2026-10-31T04:00:00Z", "2026-11-01T04:00:00Z", "the day before"},
		// Amman, until 2021: the same, east of Greenwich.
		{"Asia/Amman", "2017-10-27T12:00:00Z", DayOf, "2017-10-26T21:00:00Z", "2017-10-27T22:00:00Z", "0:00 twice"},
		{"Asia/Amman", "2017-10-26T22:30:00Z", DayOf, "2017-10-26T21:00:00Z", "2017-10-27T22:00:00Z", "the second 0:30"},
		// Samoa left out 30 December 2011.
		{"Pacific/Apia", "2011-12-30T09:00:00Z", DayOf, "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", "the next day is missing"},
		{"Pacific/Apia", "2011-12-30T11:00:00Z", DayOf, "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z", "the day before is missing"},
	} {
		got := c.of(in(t, c.zone, c.at))
		start, end := got.Start.UTC().Format(time.RFC3339), got.End.UTC().Format(time.RFC3339)
		if start != c.start || end != c.end {
			t.Errorf("%s %s (%s): %s to %s, want %s to %s", c.zone, c.at, c.note, start, end, c.start, c.end)
		}
	}
}

// TestEveryInstantIsInItsPeriod walks through years of clock changes.
func TestEveryInstantIsInItsPeriod(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Asia/Amman", "Australia/Lord_Howe", "Asia/Beirut"} {
		at := in(t, zone, "2017-01-01T00:00:00Z")
		const step = 3*time.Hour + 25*time.Minute // not always the same hours
		for range 3 * 366 * 24 * time.Hour / step {
			at = at.Add(step)
			for _, p := range []Period{DayOf(at), WeekOf(at), MonthOf(at)} {
				if at.Before(p.Start) || !at.Before(p.End) {
					t.Fatalf("%v is not from %v to %v", at, p.Start, p.End)
				}
			}
			if day := DayOf(at); Key(day.Start) != Key(at) || Key(day.Start.Add(-1)) == Key(at) || Key(day.End) == Key(at) {
				t.Fatalf("%v: the day is from %v to %v", at, day.Start, day.End)
			}
		}
	}
}

func TestSums(t *testing.T) {
	var totals Totals
	for day, n := range map[string]Nano{
		"2026-12-31": 1, "2027-01-01": 10, "2027-01-03": 100, "2027-01-04": 1000, "2027-01-31": 10000, "2027-02-01": 100000,
		"2026-01-01": 1000000,
	} {
		totals.Days = Add(totals.Days, day, n)
	}
	totals.Days = Add(totals.Days, "2027-01-01", 20)
	if !slices.IsSortedFunc(totals.Days, func(a, b Sum) int {
		if a.Day < b.Day {
			return -1
		}
		return 1
	}) {
		t.Errorf("not in order: %v", totals.Days)
	}
	now := in(t, "Europe/Berlin", "2027-01-01T08:00:00Z")
	if day, week, month := totals.Day(now), totals.Week(now), totals.Month(now); day != 30 || week != 131 || month != 11130 {
		t.Errorf("day %d, week %d, month %d", day, week, month)
	}
	if none := (Totals{}).Month(now); none != 0 {
		t.Errorf("nothing was spent: %d", none)
	}
}

func TestAmounts(t *testing.T) {
	for usd, want := range map[float64]Nano{
		0: 0, 1: 1e9, 0.1: 1e8, 0.1 + 0.2: 3e8, 4e-10: 0, 6e-10: 1, -1: 0, math.NaN(): 0, math.Inf(1): Max, math.Inf(-1): 0, 1e300: Max,
		12.345678901: 12345678901,
	} {
		if got := FromUSD(usd); got != want {
			t.Errorf("$%v is %d, want %d", usd, got, want)
		}
	}
	if got := Nano(12345678901).USD(); got != 12.345678901 {
		t.Errorf("USD %v", got)
	}
	if got := Max.Plus(Max).Plus(1); got != Max {
		t.Errorf("beyond the maximum: %d", got)
	}
	sum := Nano(0)
	for range 100 {
		sum += Max
	}
	if sum < 0 {
		t.Error("a hundred days of the maximum are below zero")
	}
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		at   string
		want Nano
		ok   bool
	}{
		{"2026-11-01T00:00:00Z", 0, false},
		{"2026-11-01T12:00:00Z", 0, false}, // 1.7% of the month
		{"2026-11-04T00:00:00Z", 100e9, true},
		{"2026-11-16T00:00:00Z", 20e9, true},
		{"2026-11-30T23:59:59Z", 10000003858, true},
	} {
		now := in(t, "UTC", c.at)
		got, ok := MonthOf(now).Pace(10e9, now)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %d (%t), want %d (%t)", c.at, got, ok, c.want, c.ok)
		}
	}
	spring := in(t, "Europe/Berlin", "2026-03-29T10:30:00Z") // 12:30 by the clock, but half of 23 hours
	if got, _ := DayOf(spring).Pace(1e9, spring); got != 2e9 {
		t.Errorf("half of a day of 23 hours: %d", got)
	}
}
