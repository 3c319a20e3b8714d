package price

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// makers are the providers whose price of a model is that of its maker.
func maker(provider string) bool {
	switch provider {
	case "anthropic", "openai", "google", "xai", "deepseek", "mistral", "moonshotai", "zai", "alibaba", "minimax", "cohere", "meta":
		return true
	}
	return false
}

// modelsDev reads providers with their models, with prices per million tokens.
// A model that several providers have is taken at its maker's price, else at
// the dearest.
func (im *Import) modelsDev(top map[string]jsontext.Value) error {
	kept := map[string]int{} // id to its row
	makers := map[string]bool{}
	for _, provider := range slices.Sorted(maps.Keys(top)) {
		models := members(members(top[provider])["models"])
		for _, id := range slices.Sorted(maps.Keys(models)) {
			if id == "" {
				continue
			}
			im.Entries++
			m, ok, err := modelsDevRow(provider, id, models[id])
			switch {
			case err != nil:
				return err
			case !ok:
				im.skip(provider+"/"+id, NoPrice)
				continue
			}
			at, twice := kept[id]
			switch {
			case !twice:
				kept[id] = len(im.Table.Models)
				im.Table.Models = append(im.Table.Models, m)
			case !makers[id] && (maker(provider) || m.dearer(&im.Table.Models[at])):
				im.skip(id, SeenCheap)
				im.Table.Models[at] = m
			default:
				im.skip(provider+"/"+id, SeenCheap)
			}
			makers[id] = makers[id] || maker(provider)
		}
	}
	return nil
}

func (m *Model) dearer(other *Model) bool {
	a, b := m.Periods[0].Tiers[0], other.Periods[0].Tiers[0]
	return a.Output > b.Output || a.Output == b.Output && a.Input > b.Input
}

func modelsDevRow(provider, id string, v jsontext.Value) (Model, bool, error) {
	name := provider + "/" + id
	e := &entry{id: name, members: members(members(v)["cost"]), unit: 1}
	own := e.devListed()
	tiers := []Rates{own.filled()}
	if long := members(e.members["context_over_200k"]); long != nil {
		tiers = append(tiers, e.devTier(long, 200_000, tiers[0]))
	}
	var list []jsontext.Value
	if v := e.members["tiers"]; v.Kind() == '[' && json.Unmarshal(v, &list) == nil && len(list) > 0 {
		tiers = tiers[:1]
		for _, t := range list {
			part := members(t)
			tiers = append(tiers, e.devTier(part, tierSize(part), tiers[0]))
		}
	}
	if e.err != nil {
		return Model{}, false, e.err
	}
	tiers = rising(tiers)
	if own.seen&seenInput == 0 || own.seen&seenOutput == 0 || tiers == nil || own.Input == 0 && own.Output == 0 {
		return Model{}, false, nil
	}
	return Model{ID: id, Periods: []Period{{Tiers: tiers}}}, true, nil
}

func (e *entry) devListed() rates { return e.listed("input", "output", "cache_read", "cache_write") }

// tierSize is the prompt size of a tier, which stands in it or in its "tier".
func tierSize(part map[string]jsontext.Value) int64 {
	for _, v := range [...]jsontext.Value{part["size"], members(part["tier"])["size"]} {
		var n float64
		if v.Kind() == '0' && json.Unmarshal(v, &n) == nil && n > 0 && n < maxTier {
			return int64(n)
		}
	}
	return 0
}

func (e *entry) devTier(part map[string]jsontext.Value, above int64, base Rates) Rates {
	t := entry{id: e.id, members: part, unit: e.unit}
	own := t.devListed()
	e.err = cmp.Or(e.err, t.err)
	return base.raised(own, above)
}
