package opencode

import (
	"math"
	"os"
	"testing"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

// ownPrices is a price table of what the recorded session's opencode.json said
// of its model, in the unit that both use.
func ownPrices(t *testing.T) *price.Table {
	t.Helper()
	var config struct {
		Provider map[string]struct {
			Models map[string]struct {
				Cost struct {
					Input      float64 `json:"input"`
					Output     float64 `json:"output"`
					CacheRead  float64 `json:"cache_read"`
					CacheWrite float64 `json:"cache_write"`
				} `json:"cost"`
			} `json:"models"`
		} `json:"provider"`
	}
	decode(t, "testdata/opencode.json", &config)
	rates := config.Provider["scripted"].Models["scripted-1"].Cost
	if rates.Input == 0 || rates.CacheRead == 0 {
		t.Fatal("opencode.json has no prices: this tests nothing")
	}
	return &price.Table{Models: []price.Model{{ID: "scripted-1", Periods: []price.Period{{Tiers: []price.Rates{{
		Input: rates.Input, Output: rates.Output, CacheRead: rates.CacheRead, CacheWrite5m: rates.CacheWrite,
	}}}}}}}
}

func decode(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

// TestCostIsWhatOpenCodeSaid prices the tokens that the reader finds at the
// session's own prices and holds that, exactly, against what OpenCode wrote:
// each message's cost, and what its table of sessions says of each session.
func TestCostIsWhatOpenCodeSaid(t *testing.T) {
	var tables struct {
		Session []struct {
			ID   string  `json:"id"`
			Cost float64 `json:"cost"`
		} `json:"session"`
	}
	decode(t, "testdata/db.rows.json", &tables)
	path, _ := makeDatabase(t)
	prices, counted, session := ownPrices(t), map[string]float64{}, ""
	_, _, err := Query(path, 0, func(l harness.Log) {
		if session = l.Agent; session == "" {
			session = l.Session
		}
	}, func(e harness.Event) {
		usd, ok := prices.Cost(e.Usage, e.Model, e.Time)
		if !ok || !same(usd, e.USD) {
			t.Errorf("%s: $%.9f counted, OpenCode said $%.9f", e, usd, e.USD)
		}
		counted[session] += usd
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tables.Session) != 2 || len(counted) != 2 {
		t.Fatalf("%d sessions, %d counted", len(tables.Session), len(counted))
	}
	for _, s := range tables.Session {
		if s.Cost == 0 || !same(counted[s.ID], s.Cost) {
			t.Errorf("%s: $%.9f counted, OpenCode said $%.9f", s.ID, counted[s.ID], s.Cost)
		}
	}
}

// same allows for what adding up binary fractions leaves, a billionth of the
// smallest cost here.
func same(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
