package price

import "slices"

// Layer is upper over lower: where both have a row of a model, upper's holds.
// It keeps the lower row's successor and aliases where it names none, because
// a new price does not make an old model current again.
func Layer(upper, lower *Table) *Table {
	all := &Table{Checked: lower.Checked, Models: slices.Clone(upper.Models), beneath: lower.beneath}
	for i := range lower.Models {
		m := &lower.Models[i]
		over := all.byID(m.ID)
		if over == nil {
			all.Models = append(all.Models, *m)
			continue
		}
		if over.Successor == "" {
			over.Successor = m.Successor
		}
		if over.Aliases == nil {
			over.Aliases = m.Aliases
		}
	}
	return all
}

// Beneath is the table with another one beneath, which is asked for the rows of
// a model only when none here is surely that model's, and for all rows with "".
// It takes no part in estimates.
func (t *Table) Beneath(more func(id string) *Table) *Table {
	all := *t
	all.beneath = more
	return &all
}

// FirstTiers is the table without its tiers for long prompts. The tokens of a
// whole run come from many requests, none of which was that long.
func (t *Table) FirstTiers() *Table {
	flat := &Table{Checked: t.Checked, Models: slices.Clone(t.Models)}
	for i := range flat.Models {
		m := &flat.Models[i]
		m.Periods = slices.Clone(m.Periods)
		for j := range m.Periods {
			m.Periods[j].firstTiers()
		}
	}
	if beneath := t.beneath; beneath != nil {
		flat.beneath = func(id string) *Table { return beneath(id).FirstTiers() }
	}
	return flat
}

func (p *Period) firstTiers() {
	for _, tiers := range [...]*[]Rates{&p.Tiers, &p.Fast.Tiers, &p.Batch.Tiers, &p.Flex.Tiers, &p.Priority.Tiers} {
		*tiers = (*tiers)[:min(1, len(*tiers))]
	}
}

// All are the rows of every layer, the ones that win first.
func (t *Table) All() []Model {
	all := slices.Clone(t.Models)
	if t.beneath == nil {
		return all
	}
	for _, m := range t.beneath("").Models {
		if t.byID(m.ID) == nil {
			all = append(all, m)
		}
	}
	return all
}
