package price

import (
	"strings"
	"time"

	"checkrein/internal/harness"
)

// Basis tells what a figure rests on.
type Basis uint8

// What a figure can rest on, the surest first.
const (
	Listed    Basis = iota // a row of the table
	StoodIn                // the model that served this name on that day
	ByFamily               // the dearest current model of its family
	ByDearest              // the dearest current model of all: nothing is known of this one
)

// Figure is the price of one response, and how right it is.
type Figure struct {
	USD   float64
	Basis Basis
	Model *Model // whose rates were taken; nil in an empty table
}

// Estimated reports whether the figure is no listed price of the model itself.
func (f Figure) Estimated() bool { return f.Basis != Listed }

// Price is the cost of one response by the surest means there is.
func (t *Table) Price(u harness.Usage, model, harnessName string, at time.Time) Figure {
	on := day(at, t.Checked)
	found := t.Find(model)
	switch {
	case found.Model == nil:
	case !found.Model.standsIn():
		return Figure{found.cost(u, on), Listed, found.Model}
	default:
		if m := t.byID(found.Model.On(on).Like); m != nil {
			found.Model = m
			return Figure{found.cost(u, on), StoodIn, m}
		}
	}
	found.Model = nil
	if family := Family(model, harnessName); family != "" {
		if f := t.dearest(u, found, family, on); f.USD > 0 {
			f.Basis = ByFamily
			return f
		}
	}
	f := t.dearest(u, found, "", on)
	f.Basis = ByDearest
	return f
}

// Estimate is what a response of a model without a price would cost at most: as
// much as on the dearest model of its family that is current on that day, or on
// the dearest current model of all when the family is unknown. Superseded
// generations don't count. It errs on the high side, so a cap still holds.
func (t *Table) Estimate(u harness.Usage, model, harnessName string, at time.Time) float64 {
	return t.Price(u, model, harnessName, at).USD
}

// dearest looks at the models of that day, or at all of a family that had none
// yet.
func (t *Table) dearest(u harness.Usage, id Found, family, day string) Figure {
	most := t.dearestOf(u, id, day, func(m *Model) bool { return strings.HasPrefix(m.ID, family) && t.current(m, day) })
	if most.Model == nil {
		most = t.dearestOf(u, id, day, func(m *Model) bool { return strings.HasPrefix(m.ID, family) })
	}
	return most
}

func (t *Table) dearestOf(u harness.Usage, id Found, day string, fits func(*Model) bool) (most Figure) {
	for i := range t.Models {
		m := &t.Models[i]
		if m.standsIn() || !fits(m) {
			continue
		}
		id.Model = m
		if usd := id.cost(u, day); most.Model == nil || usd > most.USD {
			most.USD, most.Model = usd, m
		}
	}
	return most
}

// current reports whether the model was out by that day, and no successor was.
func (t *Table) current(m *Model, day string) bool {
	if m.Periods[0].From > day {
		return false
	}
	next := t.byID(m.Successor)
	return next == nil || day < next.Periods[0].From
}

// Family is the start of the ids of a model's family; "" when it is none we
// price. Any model that Codex runs counts as GPT, any that Gemini CLI runs as
// Gemini.
func Family(model, harnessName string) string {
	name := strings.ToLower(model)
	for _, family := range [...]string{"claude-opus", "claude-sonnet", "claude-haiku", "claude-fable", "claude-mythos", "gpt", "gemini"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	switch harnessName {
	case harness.Codex:
		return "gpt"
	case harness.GeminiCLI:
		return "gemini"
	}
	return ""
}
