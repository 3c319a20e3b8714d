package price

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// sampleEntry explains LiteLLM's members, with texts where prices would be.
const sampleEntry = "sample_spec"

// liteLLM reads a flat map of ids to members, with prices per token. Tiers and
// services are suffixes: input_cost_per_token_above_200k_tokens_priority.
func (im *Import) liteLLM(top map[string]jsontext.Value) error {
	for _, id := range slices.Sorted(maps.Keys(top)) {
		if id == sampleEntry || id == "" {
			continue
		}
		im.Entries++
		e := &entry{id: id, members: members(top[id]), unit: 1_000_000}
		if !e.isText() {
			im.skip(id, NoText)
			continue
		}
		m, ok := e.liteLLM()
		if e.err != nil {
			return e.err
		}
		if !ok {
			im.skip(id, NoPrice)
			continue
		}
		im.Table.Models = append(im.Table.Models, m)
	}
	im.nameLastParts()
	return nil
}

func (e *entry) isText() bool {
	switch e.text("mode") {
	case "chat", "completion", "responses", "":
		return e.members["input_cost_per_token"] != nil || e.members["output_cost_per_token"] != nil || e.members["tiered_pricing"] != nil
	}
	return false
}

func (e *entry) liteLLM() (Model, bool) {
	p := Period{Tiers: e.llTiers()}
	if p.Tiers == nil || p.Tiers[0].Input == 0 && p.Tiers[0].Output == 0 {
		return Model{}, false
	}
	p.Batch, p.Flex, p.Priority = e.llOffer("_batches", p.Tiers), e.llOffer("_flex", p.Tiers), e.llOffer("_priority", p.Tiers)
	special := entry{id: e.id, members: members(e.members["provider_specific_entry"]), unit: 1}
	p.Fast.Factor, _ = special.price("fast")
	p.Regional, _ = special.price("us")
	e.unit = 1
	for _, name := range [...]string{"regional_processing_uplift_multiplier_us", "regional_processing_uplift_multiplier_eu"} {
		factor, _ := e.price(name)
		p.Regional = max(p.Regional, factor)
	}
	search := entry{id: e.id, members: members(e.members["search_context_cost_per_query"]), unit: 1000}
	p.WebSearch, _ = search.price("search_context_size_medium")
	e.err = cmp.Or(e.err, special.err, search.err)
	return Model{ID: e.id, Periods: []Period{p}}, true
}

// nameLastParts lets a model be found by its id without the provider before it,
// where that id is no row: at the dearest provider's price.
func (im *Import) nameLastParts() {
	byPart := map[string]*Model{}
	for i := range im.Table.Models {
		m := &im.Table.Models[i]
		if part, ok := lastPart(m.ID); ok && im.Table.byID(part) == nil {
			if other := byPart[part]; other == nil || m.Periods[0].Tiers[0].Output > other.Periods[0].Tiers[0].Output {
				byPart[part] = m
			}
		}
	}
	for _, part := range slices.Sorted(maps.Keys(byPart)) {
		byPart[part].Aliases = append(byPart[part].Aliases, part)
	}
}
