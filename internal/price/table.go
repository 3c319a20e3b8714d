package price

import (
	_ "embed"
	"fmt"
	"sync"
	"time"
)

//go:embed prices.json
var embedded []byte

// Embedded is the table this program was built with. It is read on first use,
// because most hook calls price nothing.
var Embedded = sync.OnceValue(func() *Table {
	t, err := Parse(embedded, BuiltIn)
	if err != nil {
		panic(err) // TestTheEmbeddedTableIsSound reads the same bytes
	}
	return t
})

// Parse reads a table and refuses one that could misprice silently: an unknown
// member, a model without a period, a period without a tier, a price below
// zero. The error names the entry.
func Parse(data []byte, origin Origin) (*Table, error) {
	r := newReader(data, origin)
	t := &Table{Models: make([]Model, 0, 64)}
	r.object(func(name []byte) {
		switch string(name) {
		case "schema":
			r.schema()
		case "unit":
			r.unit()
		case "checked":
			t.Checked = r.date()
		case "models":
			r.array(func() { t.Models = append(t.Models, r.model(origin)) })
		default:
			r.unknown()
		}
	})
	r.end()
	if r.err == nil {
		r.err = t.check()
	}
	if r.err != nil {
		return nil, r.err
	}
	return t, nil
}

// check finds what no single row shows: an id that is there twice, a stand-in
// or a successor without a row. Tables for a layer may name rows beneath.
func (t *Table) check() error {
	for i := range t.Models {
		if t.byID(t.Models[i].ID) != &t.Models[i] {
			return fmt.Errorf("price table entry %q is there twice", t.Models[i].ID)
		}
	}
	return nil
}

func (m *Model) check() error {
	if m.ID == "" || len(m.Periods) == 0 {
		return fmt.Errorf("it needs an id and a price")
	}
	for i := range m.Periods {
		if i > 0 && (m.Periods[i].From == "" || m.Periods[i].From != m.Periods[i-1].To) {
			return fmt.Errorf("period %d does not start where the one before it ends", i+1)
		}
		if err := m.Periods[i].check(m.standsIn()); err != nil {
			return fmt.Errorf("period %d %w", i+1, err)
		}
	}
	return nil
}

func (p *Period) check(standsIn bool) error {
	switch {
	case standsIn != (p.Like != "") || standsIn && p.Tiers != nil:
		return fmt.Errorf("must name a model with \"like\" as the others do, and no prices")
	case !standsIn && len(p.Tiers) == 0:
		return fmt.Errorf("has no tier")
	case p.From != "" && p.To != "" && p.From >= p.To:
		return fmt.Errorf("ends on %s, before it starts", p.To)
	}
	for _, tiers := range [...][]Rates{p.Tiers, p.Fast.Tiers, p.Batch.Tiers, p.Flex.Tiers, p.Priority.Tiers} {
		for j, r := range tiers {
			if (j == 0) != (r.Above == 0) || j > 0 && r.Above <= tiers[j-1].Above {
				return fmt.Errorf("has tiers that don't start at 0 and rise")
			}
		}
	}
	return nil
}

// Days is how many days ago the table was checked against its sources.
func (t *Table) Days(now time.Time) int {
	checked, err := time.Parse(time.DateOnly, t.Checked)
	if err != nil {
		return 0
	}
	return int(now.Sub(checked).Hours() / 24)
}

// MaxDays is the age in days from which a table should be doubted.
const MaxDays = 60
