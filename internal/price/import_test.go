package price

import (
	"math"
	"slices"
	"strings"
	"testing"

	"checkrein/internal/harness"
)

// Shapes as LiteLLM's file had them in 2026, with figures of its entries for
// the first three; the others are made up to have every suffix once.
const liteLLMFile = `{
 "sample_spec": {"input_cost_per_token": "price", "litellm_provider": "one of", "mode": "one of: chat"},
 "claude-4-sonnet-20250514": {"cache_creation_input_token_cost": 3.75e-06, "cache_creation_input_token_cost_above_1hr": 6e-06,
  "cache_creation_input_token_cost_above_200k_tokens": 7.5e-06, "cache_read_input_token_cost": 3e-07,
  "cache_read_input_token_cost_above_200k_tokens": 6e-07, "input_cost_per_token": 3e-06, "input_cost_per_token_above_200k_tokens": 6e-06,
  "litellm_provider": "anthropic", "mode": "chat", "output_cost_per_token": 1.5e-05, "output_cost_per_token_above_200k_tokens": 2.25e-05,
  "search_context_cost_per_query": {"search_context_size_medium": 0.01}},
 "gpt-5.4-new": {"cache_read_input_token_cost": 2.5e-07, "cache_read_input_token_cost_above_272k_tokens": 5e-07,
  "cache_read_input_token_cost_flex": 1.3e-07, "cache_read_input_token_cost_priority": 5e-07, "input_cost_per_token": 2.5e-06,
  "input_cost_per_token_above_272k_tokens": 5e-06, "input_cost_per_token_batches": 1.25e-06, "input_cost_per_token_flex": 1.25e-06,
  "input_cost_per_token_priority": 5e-06, "litellm_provider": "openai", "mode": "chat", "output_cost_per_token": 1.5e-05,
  "output_cost_per_token_above_272k_tokens": 2.25e-05, "output_cost_per_token_batches": 7.5e-06, "output_cost_per_token_flex": 7.5e-06,
  "output_cost_per_token_priority": 3e-05, "regional_processing_uplift_multiplier_us": 1.1},
 "claude-x-9": {"input_cost_per_token": 5e-06, "output_cost_per_token": 2.5e-05, "litellm_provider": "anthropic", "mode": "chat",
  "provider_specific_entry": {"fast": 6.0, "us": 1.1}},
 "zai/glm-5": {"input_cost_per_token": 6e-07, "output_cost_per_token": 2.2e-06, "litellm_provider": "zai", "mode": "chat"},
 "dearhost/glm-5": {"input_cost_per_token": 1e-06, "output_cost_per_token": 3e-06, "litellm_provider": "dearhost", "mode": "chat"},
 "dashscope/qwen": {"litellm_provider": "dashscope", "mode": "chat", "tiered_pricing": [
  {"range": [32000.0, 128000.0], "input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06},
  {"range": [0, 32000.0], "input_cost_per_token": 1e-06, "output_cost_per_token": 4e-06}]},
 "embed": {"input_cost_per_token": 1e-07, "litellm_provider": "openai", "mode": "embedding", "output_cost_per_token": 0},
 "free": {"input_cost_per_token": 0.0, "output_cost_per_token": 0, "litellm_provider": "x", "mode": "chat"},
 "half": {"input_cost_per_token": 1e-06, "litellm_provider": "x", "mode": "chat"},
 "gpt-5.5": {"input_cost_per_token": 6e-06, "output_cost_per_token": 3e-05, "cache_read_input_token_cost": 5e-07, "litellm_provider": "openai", "mode": "chat"}
}`

const modelsDevFile = `{
 "anthropic": {"id": "anthropic", "models": {
  "claude-x-9": {"id": "claude-x-9", "cost": {"input": 5, "output": 25, "cache_read": 0.5, "cache_write": 6.25,
   "context_over_200k": {"input": 10, "output": 37.5, "cache_read": 1, "cache_write": 12.5}}}}},
 "aaa": {"id": "aaa", "models": {
  "claude-x-9": {"id": "claude-x-9", "cost": {"input": 50, "output": 250}},
  "glm-5": {"id": "glm-5", "cost": {"input": 0.6, "output": 2.2, "cache_read": 0.1}},
  "free": {"id": "free", "cost": {"input": 0, "output": 0}},
  "none": {"id": "none"}}},
 "bbb": {"id": "bbb", "models": {
  "glm-5": {"id": "glm-5", "cost": {"input": 1, "output": 3,
   "tiers": [{"input": 2, "output": 6, "tier": {"type": "context", "size": 32000}}]}}}}
}`

func imported(t *testing.T, text string) *Import {
	t.Helper()
	im, err := ReadImport([]byte(text), "2026-11-30")
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func TestImport(t *testing.T) {
	type (
		use   = harness.Usage
		terms = harness.Terms
	)
	const k, m = 1000, 1_000_000
	lite, dev := imported(t, liteLLMFile), imported(t, modelsDevFile)
	for _, c := range []struct {
		table *Table
		model string
		usage use
		want  float64
	}{
		{lite.Table, "claude-4-sonnet-20250514", use{Input: 200 * k, Output: 10 * k}, 0.60 + 0.15},
		{lite.Table, "claude-4-sonnet-20250514", use{Input: 200 * k, CacheRead: 100 * k, CacheWrite: 100 * k, Output: 10 * k}, 1.20 + 0.06 + 0.75 + 0.225},
		// The file has no 1-hour price above 200K: it rises as input does.
		{lite.Table, "claude-4-sonnet-20250514", use{Input: 200 * k, CacheWrite: 100 * k, CacheWrite1h: 100 * k}, 1.20 + 1.20},
		{lite.Table, "claude-4-sonnet-20250514", use{WebSearches: 5}, 0.05},
		{lite.Table, "gpt-5.4-new", use{Input: 100 * k, Output: 10 * k, Terms: terms{Tier: harness.Batch}}, 0.125 + 0.075},
		{lite.Table, "gpt-5.4-new", use{CacheRead: 100 * k, Terms: terms{Tier: harness.Flex}}, 0.013},
		{lite.Table, "gpt-5.4-new", use{Input: 100 * k, Terms: terms{Tier: harness.Priority}}, 0.5},
		{lite.Table, "gpt-5.4-new", use{Input: 300 * k, Output: 10 * k, Terms: terms{Tier: harness.Priority}}, 3 + 0.45},
		{lite.Table, "gpt-5.4-new", use{Input: 300 * k, Terms: terms{Regional: true}}, 1.65},
		{lite.Table, "claude-x-9", use{Output: m, Terms: terms{Fast: true, Regional: true}}, 165},
		{lite.Table, "claude-x-9", use{CacheRead: m}, 5},
		{lite.Table, "zai/glm-5", use{Output: m}, 2.2},
		{lite.Table, "glm-5", use{Output: m}, 3},
		{lite.Table, "someproxy/glm-5", use{Output: m}, 3},
		{lite.Table, "dashscope/qwen", use{Input: 32 * k}, 0.032},
		{lite.Table, "qwen", use{Input: 40 * k}, 0.080},
		{dev.Table, "claude-x-9", use{Output: 100 * k}, 2.5},
		{dev.Table, "claude-x-9", use{CacheWrite: 200*k + 1}, (200*k + 1) * 12.5 / m},
		{dev.Table, "glm-5", use{Output: m}, 3},
		{dev.Table, "glm-5", use{Input: 40 * k}, 0.08},
	} {
		got, ok := c.table.Cost(c.usage, c.model, moment(""))
		if !ok || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %+v: $%v, %t; want $%v", c.model, c.usage, got, ok, c.want)
		}
	}
	if lite.Entries != 10 || lite.Format != LiteLLM || dev.Entries != 6 || dev.Format != ModelsDev {
		t.Errorf("%d entries of %s, %d of %s", lite.Entries, lite.Format, dev.Entries, dev.Format)
	}
	if want := []Skipped{{"embed", NoText}, {"free", NoPrice}, {"half", NoPrice}}; !slices.Equal(lite.Skipped, want) {
		t.Errorf("skipped: %v", lite.Skipped)
	}
}

func TestImportStandsBehindOurs(t *testing.T) {
	im := imported(t, liteLLMFile)
	last := imported(t, strings.ReplaceAll(liteLLMFile, "2.2e-06", "2.3e-06"))
	last.Table.Models = slices.DeleteFunc(last.Table.Models, func(m Model) bool { return m.ID == "claude-x-9" })
	d := im.Leave(Embedded(), last.Table)
	if !slices.Equal(d.BuiltIn, []string{"claude-4-sonnet-20250514", "gpt-5.5"}) || !slices.Equal(d.New, []string{"claude-x-9"}) ||
		!slices.Equal(d.Changed, []string{"zai/glm-5"}) || len(d.Same) != 3 {
		t.Errorf("%+v", d)
	}
	if want := "gpt-5.5: input 6, output 30, cache read 0.5 there; 5, 30, 0.5 here"; !slices.Equal(d.Disagree, []string{want}) {
		t.Errorf("disagree: %q", d.Disagree)
	}
}

func TestImportRefuses(t *testing.T) {
	lite := func(entry string) string {
		return `{"good": {"input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06}, "model-x": ` + entry + `}`
	}
	for _, c := range []struct{ text, want string }{
		{`[`, "no JSON object"},
		{`[1]`, "no JSON object"},
		{`{}`, "neither LiteLLM's"},
		{`{"models": [{"id": "x"}]}`, "neither LiteLLM's"},
		{lite(`{"input_cost_per_token": -1e-06, "output_cost_per_token": 1}`), `entry "model-x": input_cost_per_token must be a price, not -1e-06`},
		{lite(`{"input_cost_per_token": "1e-06", "output_cost_per_token": 1e-06}`), `entry "model-x": input_cost_per_token must be a price, not "1e-06"`},
		{lite(`{"input_cost_per_token": 3, "output_cost_per_token": 15}`), `entry "model-x": input_cost_per_token must be a price, not 3`},
		{lite(`{"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "provider_specific_entry": {"fast": "6"}}`), `entry "model-x": fast must be a price`},
		{`{"p": {"models": {"m": {"cost": {"input": 1, "output": true}}}}}`, `entry "p/m": output must be a price, not true`},
		{`{"p": {"models": {"m": {"cost": {"input": 1, "output": 2, "tiers": [{"input": -1, "size": 5}]}}}}}`, `entry "p/m": input must be a price`},
		{`{"p": {"models": {"m": {}}}}`, "no model in it has a price"},
	} {
		if _, err := ReadImport([]byte(c.text), "2026-11-30"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.text, err, c.want)
		}
	}
}

// FuzzImport: whatever a file holds, what it gives is a sound table.
func FuzzImport(f *testing.F) {
	f.Add([]byte(liteLLMFile))
	f.Add([]byte(modelsDevFile))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := ReadImport(data, "2026-11-30")
		if err != nil {
			return
		}
		if _, err := Parse(im.Table.AppendJSON(nil), Imported); err != nil {
			t.Fatalf("%v in %s", err, im.Table.AppendJSON(nil))
		}
	})
}
