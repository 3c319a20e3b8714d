package price

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"checkrein/internal/harness"
)

func parsed(t *testing.T, origin Origin, text string) *Table {
	t.Helper()
	table, err := Parse([]byte(text), origin)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestLayers(t *testing.T) {
	yours := parsed(t, Yours, `{"models": [
	 {"id": "claude-opus-5", "input": 2, "output": 9},
	 {"id": "claude-opus-4-7", "input": 900, "output": 900},
	 {"id": "my-model", "input": 1, "output": 3},
	 {"id": "gpt-6", "input": 7, "output": 7},
	 {"id": "us.anthropic.claude-haiku-4-5-20251001-v1:0", "input": 11, "output": 12}]}`)
	below := parsed(t, Imported, `{"models": [
	 {"id": "claude-opus-5", "input": 1000, "output": 1000},
	 {"id": "claude-opus-5-5-20260922", "input": 1000, "output": 1000},
	 {"id": "gpt-6-sol-spark", "input": 0.5, "output": 0.6},
	 {"id": "zai/glm-5", "aliases": ["glm-5"], "input": 0.6, "output": 2.2}]}`)
	var asked []string
	table := Layer(yours, Embedded()).Beneath(func(id string) *Table { asked = append(asked, id); return below })
	million := harness.Usage{Output: 1_000_000}
	for _, c := range []struct {
		model  string
		want   float64
		origin Origin
	}{
		{"claude-opus-5", 9, Yours},
		{"us.anthropic.claude-opus-5-v1:0", 9, Yours}, // it names no price for regions
		{"my-model", 3, Yours},
		{"us.anthropic.claude-haiku-4-5-20251001-v1:0", 12, Yours},
		{"claude-haiku-4-5", 5, BuiltIn},
		{"gpt-6-sol", 15, BuiltIn}, // the id itself goes before a guess of yours
		{"claude-opus-5-5-20260922", 20, BuiltIn},
		{"gpt-6-sol-spark", 0.6, Imported}, // and one beneath before a guess
		{"zai/glm-5", 2.2, Imported},
		{"proxy/glm-5", 2.2, Imported},
		{"gpt-6-sol-high", 15, BuiltIn},
	} {
		got, ok := table.Cost(million, c.model, moment("2026-11-01T12:00:00Z"))
		found := table.Find(c.model)
		if c.model == "gpt-6-sol" || c.model == "gpt-6-sol-high" {
			c.want = 10
		}
		if !ok || math.Abs(got-c.want) > 1e-9 || found.Model.Origin != c.origin {
			t.Errorf("%s: $%v, %t of layer %d; want $%v of %d", c.model, got, ok, found.Model.Origin, c.want, c.origin)
		}
	}
	if want := []string{"gpt-6-sol-spark", "gpt-6-sol-spark", "zai/glm-5", "zai/glm-5", "proxy/glm-5", "proxy/glm-5", "gpt-6-sol-high", "gpt-6-sol-high"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("the table beneath was asked for %q", asked)
	}
	// A new price of yours does not make a superseded model current.
	if f := table.Price(million, "claude-opus-9", harness.ClaudeCode, moment("2026-11-01T12:00:00Z")); f.Model.ID != "claude-opus-5-5" || f.USD != 20 {
		t.Errorf("an unknown Opus costs $%v, as %s", f.USD, f.Model.ID)
	}
	if all := table.All(); len(all) != len(Embedded().Models)+3+3 {
		t.Errorf("%d rows in all", len(all))
	}
	if usd, _ := table.FirstTiers().Cost(harness.Usage{Input: 1_000_000}, "gpt-5.5", moment("2026-11-01T12:00:00Z")); usd != 5 {
		t.Errorf("a sum of many prompts costs $%v", usd)
	}
	if usd, _ := table.Cost(harness.Usage{Input: 1_000_000}, "gpt-5.5", moment("2026-11-01T12:00:00Z")); usd != 10 {
		t.Errorf("one prompt of that size costs $%v", usd)
	}
}

// TestWriteAndRead: what is written reads as it was, whole and row by row.
func TestWriteAndRead(t *testing.T) {
	for name, table := range map[string]*Table{
		"our own": Embedded(), "LiteLLM's": imported(t, liteLLMFile).Table, "models.dev's": imported(t, modelsDevFile).Table,
	} {
		text := table.AppendJSON(nil)
		origin := table.Models[0].Origin
		again := parsed(t, origin, string(text))
		if !reflect.DeepEqual(again, table) {
			t.Errorf("%s table is another one when written and read", name)
		}
		for _, m := range table.Models {
			for _, id := range append([]string{m.ID, "some/gateway/" + m.ID}, m.Aliases...) {
				part, err := ParseFor(text, origin, id)
				if err != nil || part.Match(m.ID) == nil && !m.standsIn() || len(part.Models) > 12 {
					t.Errorf("%s table, %s: %d rows, %v", name, id, len(part.Models), err)
				}
			}
		}
	}
	if part, err := ParseFor(Embedded().AppendJSON(nil), BuiltIn, `no "such" model`); err != nil || len(part.Models) != 0 {
		t.Errorf("%+v, %v", part, err)
	}
	oldFirst := parsed(t, BuiltIn, `{"models": [{"id": "a-1", "successor": "a-2", "input": 1, "output": 2}, {"id": "a-2", "input": 1, "output": 3}]}`)
	if part, err := ParseFor(oldFirst.AppendJSON(nil), BuiltIn, "a-2"); err != nil || part.Match("a-2") == nil {
		t.Errorf("a row after one that names it: %+v, %v", part, err)
	}
	if part, err := ParseFor([]byte(invented), BuiltIn, "gpt-7"); err != nil || part.Match("gpt-7") == nil {
		t.Errorf("a table in another layout: %+v, %v", part, err)
	}
}

func TestParseNamesTheEntry(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "EOF"},
		{`[]`, "a price table is an object, not []"},
		{`{"schema": 2}`, "was made for a newer checkrein"},
		{`{"unit": "EUR"}`, `the unit must be "USD per million tokens"`},
		{`{"models": {}}`, `"models" must be a list, not {}`},
		{`{"models": [{"id": "m"}]}`, `price table entry "m": it needs an id and a price`},
		{`{"models": [{"id": "m", "input": 3}]}`, `price table entry "m": a tier needs "input" and "output"`},
		{`{"models": [{"id": "m", "input": 3, "output": "15"}]}`, `price table entry "m": "output" must be a number, not "15"`},
		{`{"models": [{"id": "m", "input": 3, "output": -15}]}`, `price table entry "m": "output" must be from 0 to 100000, not -15`},
		{`{"models": [{"id": "m", "input": 3, "output": 1e9}]}`, `price table entry "m": "output" must be from 0 to 100000`},
		{`{"models": [{"id": "m", "input": 3, "output": 15, "prize": 1}]}`, `price table entry "m": "prize" is no member of a price table`},
		{`{"models": [{"id": "m", "input": 3, "input": 4, "output": 15}]}`, "duplicate"},
		{`{"models": [{"id": "m", "input": 3, "output": 15, "from": "1.10.2026"}]}`, `price table entry "m": "from" must be a day like 2026-10-07`},
		{`{"models": [{"id": "m", "input": 3, "output": 15, "from": "2026-13-01"}]}`, `must be a day`},
		{`{"models": [{"id": "m", "input": 3, "output": 15, "from": "2026-10-01", "to": "2026-10-01"}]}`, `price table entry "m": period 1 ends on 2026-10-01, before it starts`},
		{`{"models": [{"id": "m", "input": 3, "output": 15, "periods": [{"tiers": [{"input": 1, "output": 2}]}]}]}`, `price table entry "m": it has periods`},
		{`{"models": [{"id": "m", "periods": [{"like": "x", "tiers": [{"input": 1, "output": 2}]}]}]}`, `price table entry "m": period 1 must name a model with "like"`},
		{`{"models": [{"id": "m", "input": 3, "output": 15}, {"id": "m", "input": 3, "output": 15}]}`, `price table entry "m" is there twice`},
		{`{"models": [{"id": "m", "input": 3, "output": 15}]} x`, "something follows the price table"},
		{`{"models": [{"id": "m", "input": 3, "output": 15}`, "EOF"},
	} {
		_, err := Parse([]byte(c.text), Yours)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.text, err, c.want)
		}
	}
}
