package price

import (
	"math"
	"testing"
	"time"

	"checkrein/internal/harness"
)

// invented is a table of prices that no model has: one changes by day and by
// prompt size, one was replaced, two belong to a family, one has no write price.
const invented = `{"schema": 1, "unit": "USD per million tokens", "checked": "2026-11-01", "models": [
 {"id": "claude-opus-1", "successor": "claude-opus-2", "source": "s", "checked": "2026-11-01",
  "periods": [{"tiers": [{"input": 50, "output": 500, "cache_read": 5, "cache_write_5m": 60, "cache_write_1h": 100}]}]},
 {"id": "claude-opus-2", "source": "s", "checked": "2026-11-01", "periods": [
  {"from": "2026-06-01", "to": "2026-09-01", "tiers": [{"input": 10, "output": 100, "cache_read": 1, "cache_write_5m": 12, "cache_write_1h": 20}]},
  {"from": "2026-09-01", "tiers": [
   {"input": 8, "output": 80, "cache_read": 0.8, "cache_write_5m": 9, "cache_write_1h": 16},
   {"above": 200000, "input": 16, "output": 120, "cache_read": 1.6, "cache_write_5m": 18, "cache_write_1h": 32}]}]},
 {"id": "claude-opus-mini", "source": "s", "checked": "2026-11-01", "periods": [{"tiers": [{"input": 1, "output": 300, "cache_read": 0.1}]}]},
 {"id": "gpt-7", "source": "s", "checked": "2026-11-01", "periods": [{"tiers": [{"input": 4, "output": 40, "cache_read": 0.4}]}]}
]}`

func table(t *testing.T) *Table {
	t.Helper()
	parsed, err := Parse([]byte(invented), BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func moment(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

const million = 1_000_000

func TestCost(t *testing.T) {
	prices := table(t)
	for _, c := range []struct {
		name, model, at string
		usage           harness.Usage
		want            float64
	}{
		{"every kind of token", "claude-opus-2", "2026-10-01T00:00:00Z", harness.Usage{Input: 1000, CacheRead: 2000, CacheWrite: 3000, CacheWrite1h: 1000, Output: 4000}, (8000 + 1600 + 2*9000 + 16000 + 320000) / 1e6},
		{"reasoning is part of the output", "gpt-7", "", harness.Usage{Output: million, Reasoning: 900_000}, 40},
		{"writes without a price cost what input costs", "gpt-7", "", harness.Usage{CacheWrite: million, CacheWrite1h: million / 2}, 4},
		{"an hour's part above the whole", "claude-opus-2", "", harness.Usage{CacheWrite: 1000, CacheWrite1h: 5000}, 0.016},
		{"nothing", "claude-opus-2", "", harness.Usage{}, 0},
		{"today's price without a time", "claude-opus-2", "", harness.Usage{Output: million}, 80},
		{"the first period", "claude-opus-2", "2026-08-31T23:59:59Z", harness.Usage{Output: million}, 100},
		{"the day a price changes", "claude-opus-2", "2026-09-01T00:00:00Z", harness.Usage{Output: million}, 80},
		{"a day is a day in UTC", "claude-opus-2", "2026-09-01T01:00:00+02:00", harness.Usage{Output: million}, 100},
		{"before the first period the nearest holds", "claude-opus-2", "2026-01-01T00:00:00Z", harness.Usage{Output: million}, 100},
		{"a prompt at the tier's bound", "claude-opus-2", "", harness.Usage{Input: 100_000, CacheRead: 50_000, CacheWrite: 50_000}, 0.8 + 0.04 + 0.45},
		{"a prompt above it costs more as a whole", "claude-opus-2", "", harness.Usage{Input: 200_001, Output: 1000}, (200_001*16 + 120_000) / 1e6},
		{"output does not count for the tier", "claude-opus-2", "", harness.Usage{Input: 200_000, Output: 500_000}, 1.6 + 40},
		{"the tiers are the period's", "claude-opus-2", "2026-07-01T00:00:00Z", harness.Usage{Input: million}, 10},
	} {
		got, ok := prices.Cost(c.usage, c.model, moment(c.at))
		if !ok || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: $%v, %t; want $%v", c.name, got, ok, c.want)
		}
	}
	if usd, ok := prices.Cost(harness.Usage{Output: 1}, "claude-opus-3", time.Time{}); ok || usd != 0 {
		t.Errorf("a model without a price costs $%v", usd)
	}
}

func TestEstimate(t *testing.T) {
	prices := table(t)
	output, input := harness.Usage{Output: million}, harness.Usage{Input: million}
	for _, c := range []struct {
		name, model, harness, at string
		usage                    harness.Usage
		want                     float64
	}{
		{"the dearest of its family, by output", "claude-opus-9", "claude-code", "", output, 300},
		{"and by input, in its tier", "claude-opus-9", "claude-code", "", input, 16},
		{"any case of letters", "Claude-OPUS-9", "claude-code", "", output, 300},
		{"a cloud's spelling", "us.anthropic.claude-opus-9-v1:0", "claude-code", "", output, 300},
		{"not the one that was replaced", "claude-opus-9", "claude-code", "2026-10-01T00:00:00Z", output, 300},
		{"but that one before it was", "claude-opus-9", "claude-code", "2026-05-31T00:00:00Z", output, 500},
		{"on the successor's first day no more", "claude-opus-9", "claude-code", "2026-06-01T00:00:00Z", output, 300},
		{"another family", "gpt-9", "claude-code", "", output, 40},
		{"whatever Codex runs is a GPT", "codex-auto-review", "codex", "", output, 40},
		{"but a known family comes first", "claude-opus-9", "codex", "", output, 300},
		{"no known family: the dearest of all", "llama-9", "claude-code", "", output, 300},
		{"a family without a row", "claude-haiku-9", "claude-code", "", output, 300},
		{"no model at all", "", "claude-code", "", input, 16},
	} {
		got := prices.Estimate(c.usage, c.model, c.harness, moment(c.at))
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: $%v, want $%v", c.name, got, c.want)
		}
	}
}

// TestTheEmbeddedTableIsSound: it parses, and no model of it is free.
func TestTheEmbeddedTableIsSound(t *testing.T) {
	prices := Embedded()
	if prices.Checked == "" || len(prices.Models) < 40 {
		t.Fatalf("checked %q, %d models", prices.Checked, len(prices.Models))
	}
	if _, err := Parse(embedded, Yours); err != nil { // a name that is there twice
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, m := range prices.Models {
		if seen[m.ID] {
			t.Errorf("%s is there twice", m.ID)
		}
		seen[m.ID] = true
		if m.Source == "" || m.Checked == "" {
			t.Errorf("%s has no source", m.ID)
		}
		for _, p := range m.Periods {
			for _, r := range p.Tiers {
				if r.Input <= 0 || r.Output <= r.Input || r.CacheRead <= 0 || r.CacheRead > r.Input {
					t.Errorf("%s: prices %+v", m.ID, r)
				}
			}
		}
		if m.Successor != "" && prices.byID(m.Successor) == nil {
			t.Errorf("%s has a successor without a row: %s", m.ID, m.Successor)
		}
	}
}

func TestParseRefusesATableThatCouldMisprice(t *testing.T) {
	model := func(periods string) string {
		return `{"models":[{"id":"x","source":"s","checked":"2026-01-01","periods":` + periods + `}]}`
	}
	const tier = `{"input":1,"output":2,"cache_read":0.1}`
	for name, text := range map[string]string{
		"no JSON":            `{`,
		"an unknown key":     `{"models":[],"discount":0.5}`,
		"no id":              `{"models":[{"id":"","periods":[{"tiers":[` + tier + `]}]}]}`,
		"no period":          model(`[]`),
		"no tier":            model(`[{"tiers":[]}]`),
		"a price below zero": model(`[{"tiers":[{"input":-1,"output":2,"cache_read":0}]}]`),
		"a first tier above": model(`[{"tiers":[{"above":5,"input":1,"output":2,"cache_read":0}]}]`),
		"tiers that fall":    model(`[{"tiers":[` + tier + `,{"above":9,"input":1,"output":2,"cache_read":0},{"above":5,"input":1,"output":2,"cache_read":0}]}]`),
		"a gap of days":      model(`[{"to":"2026-01-01","tiers":[` + tier + `]},{"from":"2026-01-02","tiers":[` + tier + `]}]`),
		"two open periods":   model(`[{"tiers":[` + tier + `]},{"tiers":[` + tier + `]}]`),
	} {
		if _, err := Parse([]byte(text), Yours); err == nil {
			t.Errorf("%s is accepted: %s", name, text)
		}
	}
	if _, err := Parse([]byte(model(`[{"to":"2026-01-01","tiers":[`+tier+`]},{"from":"2026-01-01","tiers":[`+tier+`]}]`)), Yours); err != nil {
		t.Errorf("a sound table is refused: %v", err)
	}
}
