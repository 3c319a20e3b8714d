package budget

import "time"

// Period is a day, a week or a month: from its first instant to that of the
// next.
type Period struct{ Start, End time.Time }

// DayOf is the day of t, in t's location.
func DayOf(t time.Time) Period { return period(t, 0, 0, 1) }

// WeekOf is the week of t, which begins on Monday (ISO 8601).
func WeekOf(t time.Time) Period {
	sinceMonday := (int(t.Weekday()) + 6) % 7
	return period(t, -sinceMonday, 0, 7)
}

// MonthOf is the calendar month of t.
func MonthOf(t time.Time) Period { return period(t, 1-t.Day(), 1, 0) }

// period begins back days from the day of t and takes so many months and days.
func period(t time.Time, back, months, days int) Period {
	year, month, day := t.Date()
	day += back
	return Period{
		Start: midnight(year, month, day, t.Location()),
		End:   midnight(year, month+time.Month(months), day+days, t.Location()),
	}
}

// midnight is the first instant of a day. Where the clock is changed at
// midnight, 0:00 is missing or comes twice, and time.Date may take it for an
// instant of the day before, or for the later one of the two.
func midnight(year int, month time.Month, day int, in *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	t := time.Date(year, month, day, 0, 0, 0, 0, in)
	if Key(t) < Key(noon) { // 0:00 is missing: the day begins when the day before ends
		return t.Add(24*time.Hour - sinceMidnight(t))
	}
	since, _ := t.ZoneBounds()
	if since.IsZero() {
		return t
	}
	_, offset := t.Zone()
	_, before := since.Add(-1).Zone()
	first := t.Add(-time.Duration(before-offset) * time.Second)
	if before > offset && first.Before(since) && Key(first) == Key(t) {
		return first
	}
	return t
}

func sinceMidnight(t time.Time) time.Duration {
	hour, minute, second := t.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
}

// tooEarly is the share of a period before which what was spent says nothing of
// the rest of it: half an hour of a day, 15 hours of a month.
const tooEarly = 0.02

// Pace is what will have been spent at the end of the period if it goes on as
// until now; false early in the period.
func (p Period) Pace(spent Nano, now time.Time) (atEnd Nano, ok bool) {
	gone := float64(now.Sub(p.Start)) / float64(p.End.Sub(p.Start))
	if gone < tooEarly || gone > 1 {
		return 0, false
	}
	return FromUSD(spent.USD() / gone), true
}
