package price

import (
	"strings"
	"time"

	"checkrein/internal/harness"
)

// Estimate is what a response of a model without a price would cost at most: as
// much as on the dearest model of its family that is current on that day, or on
// the dearest current model of all when the family is unknown. Superseded
// generations don't count. It errs on the high side, so a cap still holds.
func (t *Table) Estimate(u harness.Usage, model, harnessName string, at time.Time) float64 {
	family := Family(model, harnessName)
	if usd := t.dearest(u, family, at); family != "" && usd > 0 {
		return usd
	}
	return t.dearest(u, "", at)
}

func (t *Table) dearest(u harness.Usage, family string, at time.Time) float64 {
	most := 0.0
	for i := range t.Models {
		m := &t.Models[i]
		if strings.HasPrefix(m.ID, family) && t.current(m, at) {
			most = max(most, m.cost(u, at))
		}
	}
	return most
}

// current reports whether no successor has replaced the model by that day.
func (t *Table) current(m *Model, at time.Time) bool {
	if m.Successor == "" {
		return true
	}
	next := t.byID(m.Successor)
	return next == nil || (!at.IsZero() && at.UTC().Format(time.DateOnly) < next.Periods[0].From)
}

// Family is the start of the ids of a model's family; "" when it is none we
// price. Any model that Codex runs counts as GPT.
func Family(model, harnessName string) string {
	name := strings.ToLower(model)
	for _, family := range [...]string{"claude-opus", "claude-sonnet", "claude-haiku", "claude-fable", "gpt"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	if harnessName == harness.Codex {
		return "gpt"
	}
	return ""
}
