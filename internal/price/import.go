package price

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Import is what another project's price list holds.
type Import struct {
	Format  string // LiteLLM or ModelsDev
	Entries int
	Table   *Table
	Skipped []Skipped
}

// The formats that an import knows.
const (
	LiteLLM   = "LiteLLM's model_prices_and_context_window.json"
	ModelsDev = "models.dev's api.json"
)

// Skipped is an entry that gave no row, and why.
type Skipped struct{ ID, Reason string }

// Why an entry gives no row.
const (
	NoText    = "not a model of text"
	NoPrice   = "free, or without a price for input and output"
	SeenCheap = "of several providers, not the maker's price nor the dearest"
)

// ReadImport reads a file that is known by its shape. Its rows hold from any day
// on: neither format has dates. day is the day of the import.
func ReadImport(data []byte, day string) (*Import, error) {
	var top map[string]jsontext.Value
	if err := json.Unmarshal(data, &top, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("it is no JSON object of models: %w", err)
	}
	im := &Import{Table: &Table{Checked: day}}
	var err error
	switch shape(top) {
	case LiteLLM:
		im.Format, err = LiteLLM, im.liteLLM(top)
	case ModelsDev:
		im.Format, err = ModelsDev, im.modelsDev(top)
	default:
		err = errors.New("it is neither " + LiteLLM + " nor " + ModelsDev)
	}
	if err == nil && len(im.Table.Models) == 0 {
		err = errors.New("no model in it has a price")
	}
	for i := range im.Table.Models {
		m := &im.Table.Models[i]
		m.Origin, m.Checked, m.Source = Imported, day, im.Format
	}
	if err == nil { // such as an offer of more than 100 times the list price
		_, err = Parse(im.Table.AppendJSON(nil), Imported)
	}
	if err != nil {
		return nil, err
	}
	return im, nil
}

// shape tells the formats apart by what their entries hold.
func shape(top map[string]jsontext.Value) string {
	for _, name := range slices.Sorted(maps.Keys(top)) {
		e := members(top[name])
		if e["models"] != nil && e["models"].Kind() == '{' {
			return ModelsDev
		}
		if name != sampleEntry && (e["litellm_provider"] != nil || e["input_cost_per_token"] != nil) {
			return LiteLLM
		}
	}
	return ""
}

// members are those of an object; nil for anything else.
func members(v jsontext.Value) (m map[string]jsontext.Value) {
	if v.Kind() == '{' {
		_ = json.Unmarshal(v, &m, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	}
	return m
}

func (im *Import) skip(id, reason string) { im.Skipped = append(im.Skipped, Skipped{id, reason}) }

// entry is one model of a file. The first price that is none ends the import:
// a file that is broken in one place is not to be trusted in others.
type entry struct {
	id      string
	members map[string]jsontext.Value
	unit    float64 // what a price is multiplied by, to be per million tokens
	err     error
}

// price is a member as USD per million tokens; false when it is not there.
func (e *entry) price(name string) (float64, bool) {
	v := e.members[name]
	if v == nil || v.Kind() == 'n' {
		return 0, false
	}
	var n float64
	if v.Kind() != '0' || json.Unmarshal(v, &n) != nil || n < 0 || n*e.unit > maxPrice {
		e.err = cmp.Or(e.err, fmt.Errorf("entry %q: %s must be a price, not %.40s", e.id, name, v))
		return 0, false
	}
	return clean(n * e.unit), true
}

// clean takes off what the sum of binary fractions adds: 3.0000000000000004.
func clean(n float64) float64 { return math.Round(n*1e9) / 1e9 }

// text is a member as a text; "" when it is none.
func (e *entry) text(name string) (s string) {
	if v := e.members[name]; v.Kind() == '"' {
		_ = json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true))
	}
	return s
}

// Difference is how an import stands to the tables there are.
type Difference struct {
	New, Changed, Same []string // against the last import
	BuiltIn            []string // priced by our own table, so left out
	Disagree           []string // of those: models whose prices differ, with both
}

// Leave takes the models that table knows out of the import, and tells how the
// rest stands to the last one.
func (im *Import) Leave(table, last *Table) (d Difference) {
	im.Table.Models = slices.DeleteFunc(im.Table.Models, func(m Model) bool {
		found := table.Find(m.ID)
		if found.Model == nil || found.How == Begins {
			return false
		}
		d.BuiltIn = append(d.BuiltIn, m.ID)
		if found.How == Exact && !found.Model.standsIn() {
			d.disagree(m, found.Model.On(m.Checked))
		}
		return true
	})
	for i := range im.Table.Models {
		m := &im.Table.Models[i]
		switch before := last.byID(m.ID); {
		case before == nil:
			d.New = append(d.New, m.ID)
		case samePrices(m, before):
			d.Same = append(d.Same, m.ID)
		default:
			d.Changed = append(d.Changed, m.ID)
		}
	}
	return d
}

func (d *Difference) disagree(theirs Model, ours *Period) {
	a, b := theirs.Periods[0].Tiers[0], ours.Tiers[0]
	if a.Input != b.Input || a.Output != b.Output || a.CacheRead != b.CacheRead {
		d.Disagree = append(d.Disagree, fmt.Sprintf("%s: input %v, output %v, cache read %v there; %v, %v, %v here",
			theirs.ID, a.Input, a.Output, a.CacheRead, b.Input, b.Output, b.CacheRead))
	}
}

// samePrices compares two imported rows but for the day they came.
func samePrices(a, b *Model) bool {
	one, other := Model{Periods: a.Periods}, Model{Periods: b.Periods}
	return string(one.AppendJSON(nil)) == string(other.AppendJSON(nil))
}

// lastPart is what follows the last slash of an id that has one.
func lastPart(id string) (string, bool) {
	i := strings.LastIndexByte(id, '/')
	return id[i+1:], i >= 0 && i+1 < len(id)
}
