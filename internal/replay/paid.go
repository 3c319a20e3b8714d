package replay

import (
	"math"
	"slices"
	"sort"
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
)

// payments are what all sessions have paid, and when. They take the place of the
// ledger, which knows whole days only.
type payments struct {
	all      []payment
	projects map[string][]payment
	settled  bool
}

type payment struct {
	at   time.Time
	nano int64
	sum  int64 // with all before it
}

func (p *payments) add(at time.Time, project string, usd float64) {
	if p.settled || usd <= 0 {
		return
	}
	one := payment{at: at, nano: int64(math.Round(usd * 1e9))}
	p.all = append(p.all, one)
	if p.projects == nil {
		p.projects = map[string][]payment{}
	}
	p.projects[project] = append(p.projects[project], one)
}

// settle puts the payments in order, for questions.
func (p *payments) settle() {
	addUp(p.all)
	for _, list := range p.projects {
		addUp(list)
	}
	p.settled = true
}

func addUp(list []payment) {
	slices.SortStableFunc(list, func(a, b payment) int { return a.at.Compare(b.at) })
	var sum int64
	for i := range list {
		sum += list[i].nano
		list[i].sum = sum
	}
}

// at is what was paid until a time, as the rules take it.
func (p *payments) at(now time.Time, project string) guard.Budget {
	used := func(kind string, period budget.Period) guard.Used {
		return guard.Used{
			USD: between(p.all, period.Start, now), Key: kind + " " + budget.Key(period.Start),
			Until: period.End.Format("2006-01-02 15:04"),
		}
	}
	return guard.Budget{
		Day: used("day", budget.DayOf(now)), Week: used("week", budget.WeekOf(now)), Month: used("month", budget.MonthOf(now)),
		Project: guard.Used{USD: between(p.projects[project], time.Time{}, now), Key: "project " + project},
	}
}

// between is what was paid from a time on, until another one, in USD.
func between(list []payment, from, to time.Time) float64 {
	before := func(t time.Time) int64 {
		n := sort.Search(len(list), func(i int) bool { return list[i].at.After(t) })
		if n == 0 {
			return 0
		}
		return list[n-1].sum
	}
	return float64(before(to)-before(from.Add(-1))) / 1e9
}
