package price

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
)

//go:embed prices.json
var embedded []byte

// Embedded is the table this program was built with. It is read on first use,
// because most hook calls price nothing.
var Embedded = sync.OnceValue(func() *Table {
	t, err := Parse(embedded)
	if err != nil {
		panic(err) // TestEmbeddedTableIsSound reads the same bytes
	}
	return t
})

// Parse reads a table and refuses one that could misprice silently: a model
// without a period, a period without a tier, a price below zero.
func Parse(data []byte) (*Table, error) {
	t := new(Table)
	if err := json.Unmarshal(data, t, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("reading the price table: %w", err)
	}
	for _, m := range t.Models {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("price table entry %q: %w", m.ID, err)
		}
	}
	return t, nil
}

func (m *Model) check() error {
	if m.ID == "" || len(m.Periods) == 0 {
		return fmt.Errorf("it needs an id and a period")
	}
	for i, p := range m.Periods {
		if len(p.Tiers) == 0 {
			return fmt.Errorf("period %d has no tier", i+1)
		}
		if i > 0 && (p.From == "" || p.From != m.Periods[i-1].To) {
			return fmt.Errorf("period %d does not start where the one before it ends", i+1)
		}
		for j, r := range p.Tiers {
			if r.Input < 0 || r.Output < 0 || r.CacheRead < 0 {
				return fmt.Errorf("period %d has a price below zero", i+1)
			}
			if (j == 0) != (r.Above == 0) || (j > 0 && r.Above <= p.Tiers[j-1].Above) {
				return fmt.Errorf("period %d: tiers must start at 0 and rise", i+1)
			}
		}
	}
	return nil
}
