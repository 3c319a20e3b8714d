package price

import (
	"math"
	"testing"

	"checkrein/internal/harness"
)

// TestListPrices: figures worked out by hand from the vendors' pages, not by
// this package. Each case names what it would get wrong.
func TestListPrices(t *testing.T) {
	type (
		use   = harness.Usage
		terms = harness.Terms
	)
	const k, m = 1000, 1_000_000
	for _, c := range []struct {
		name, model, at string
		usage           use
		want            float64
	}{
		// anomalyco/models.dev#2814, Helicone#5766: 1-hour writes billed at the 5-minute rate.
		{"an hour's write costs twice the input", "claude-opus-4-5", "2026-01-05T12:00:00Z", use{CacheWrite: 100 * k, CacheWrite1h: 100 * k}, 1.00},
		{"a 5-minute write 1.25 times", "claude-opus-4-5", "2026-01-05T12:00:00Z", use{CacheWrite: 100 * k}, 0.625},

		// Amazon Bedrock: regional profiles cost a tenth more than the global one.
		{"a regional profile", "us.anthropic.claude-opus-4-8-v1:0", "2026-09-01T12:00:00Z", use{Output: m}, 27.5},
		{"the global profile", "global.anthropic.claude-opus-4-8-v1:0", "2026-09-01T12:00:00Z", use{Output: m}, 25},
		{"a profile from before regional prices", "us.anthropic.claude-opus-4-1-20250805-v1:0", "2025-09-01T12:00:00Z", use{Output: m}, 75},
		// platform.claude.com, data residency: US-only inference from Opus 4.6 on.
		{"US-only inference", "claude-opus-4-6", "2026-09-01T12:00:00Z", use{Input: m, Terms: terms{Regional: true}}, 5.5},
		{"no such price before Opus 4.6", "claude-opus-4-5", "2026-09-01T12:00:00Z", use{Input: m, Terms: terms{Regional: true}}, 5},
		{"regional by id and by usage is charged once", "eu.anthropic.claude-opus-5-v1:0", "2026-09-01T12:00:00Z", use{Input: m, Terms: terms{Regional: true}}, 5.5},
		{"OpenAI's regional processing", "gpt-5.5", "2026-09-01T12:00:00Z", use{Input: 100 * k, Terms: terms{Regional: true}}, 0.55},

		// Long prompts: the whole request, its output too, at the tier's rates.
		{"Sonnet 4.5 at 200K", "claude-sonnet-4-5", "2026-01-05T12:00:00Z", use{Input: 100 * k, CacheRead: 100 * k, Output: 10 * k}, 0.30 + 0.03 + 0.15},
		{"Sonnet 4.5 above 200K", "claude-sonnet-4-5", "2026-01-05T12:00:00Z", use{Input: 100 * k, CacheRead: 100 * k, CacheWrite: 1 * k, Output: 10 * k}, 0.60 + 0.06 + 0.0075 + 0.225},
		{"Sonnet 4.6 has one price", "claude-sonnet-4-6", "2026-05-05T12:00:00Z", use{Input: 300 * k}, 0.90},
		{"GPT-5.5 at 272K", "gpt-5.5", "2026-06-01T12:00:00Z", use{Input: 272 * k, Output: 10 * k}, 1.36 + 0.30},
		{"GPT-5.5 above 272K", "gpt-5.5", "2026-06-01T12:00:00Z", use{Input: 272 * k, CacheRead: 100 * k, Output: 10 * k}, 2.72 + 0.10 + 0.45},
		{"Haiku 5.5 at 100K", "claude-haiku-5-5", "2026-11-01T12:00:00Z", use{CacheRead: 100 * k, Output: 10 * k}, 0.001 + 0.005},
		{"Haiku 5.5 above 100K", "claude-haiku-5-5", "2026-11-01T12:00:00Z", use{CacheRead: 100 * k, Input: 1 * k, Output: 10 * k}, 0.005 + 0.0005 + 0.025},
		{"Gemini 3.1 Pro above 200K", "gemini-3.1-pro-preview", "2026-11-01T12:00:00Z", use{Input: 201 * k, CacheRead: 100 * k, Output: 10 * k}, 0.804 + 0.04 + 0.18},

		// code.claude.com, fast mode: removed for Opus 4.8 on 2026-11-30.
		{"Opus 5.5 fast", "claude-opus-5-5", "2026-11-01T12:00:00Z", use{Input: m, Output: m, Terms: terms{Fast: true}}, 8 + 40},
		{"Opus 4.6 fast", "claude-opus-4-6", "2026-03-01T12:00:00Z", use{Input: m, Output: m, Terms: terms{Fast: true}}, 30 + 150},
		{"Opus 4.8 fast, its last second", "claude-opus-4-8", "2026-11-29T23:59:59Z", use{Output: m, Terms: terms{Fast: true}}, 50},
		{"Opus 4.8 fast, after its end", "claude-opus-4-8", "2026-11-30T00:00:00Z", use{Output: m, Terms: terms{Fast: true}}, 25},
		{"a gateway's id for fast mode", "openrouter/anthropic/claude-opus-5-fast", "2026-09-01T12:00:00Z", use{Output: m}, 50},
		{"fast mode reads the cache at twice the price, too", "claude-opus-5", "2026-09-01T12:00:00Z", use{CacheRead: m, Terms: terms{Fast: true}}, 1},

		// Service tiers.
		{"batch is half", "claude-opus-5-5", "2026-11-01T12:00:00Z", use{Input: m, Terms: terms{Tier: harness.Batch}}, 2},
		{"flex is half", "gpt-6.1-sol", "2026-11-01T12:00:00Z", use{Input: 100 * k, Output: 100 * k, Terms: terms{Tier: harness.Flex}}, 0.1 + 0.5},
		{"priority is twice", "gpt-6.1-sol", "2026-11-01T12:00:00Z", use{Input: 100 * k, Output: 100 * k, Terms: terms{Tier: harness.Priority}}, 0.4 + 2},
		{"priority and fast are one price", "gpt-6.1-sol", "2026-11-01T12:00:00Z", use{Output: 100 * k, Terms: terms{Fast: true, Tier: harness.Priority}}, 2},
		{"priority of a long prompt", "gpt-6.1-sol", "2026-11-01T12:00:00Z", use{Input: 300 * k, Terms: terms{Tier: harness.Priority}}, 2.4},
		{"a tier without a price costs the list price", "claude-opus-5-5", "2026-11-01T12:00:00Z", use{Output: m, Terms: terms{Tier: harness.Flex}}, 20},

		// Searches have their own price, whatever the tier.
		{"Claude's web searches", "claude-opus-5-5", "2026-11-01T12:00:00Z", use{WebSearches: 3, Terms: terms{Tier: harness.Batch}}, 0.03},
		{"Gemini's grounding", "gemini-3.5-flash", "2026-11-01T12:00:00Z", use{WebSearches: 1000}, 14},

		// Periods change at 00:00 UTC.
		{"Sonnet 5.5's cache reads until 10-07", "claude-sonnet-5-5", "2026-10-06T23:59:59.999Z", use{CacheRead: m}, 0.20},
		{"Sonnet 5.5's cache reads from 10-07", "claude-sonnet-5-5", "2026-10-07T00:00:00Z", use{CacheRead: m}, 0.10},
		{"the day is UTC's, not the record's", "claude-sonnet-5-5", "2026-10-07T01:30:00+02:00", use{CacheRead: m}, 0.20},
		{"Gemini 3.8 Flash until the end of 2026", "gemini-3.8-flash", "2026-12-31T23:59:59Z", use{Input: m, Output: m}, 0.75 + 3.75},
		{"Gemini 3.8 Flash from 2027", "gemini-3.8-flash", "2027-01-01T00:00:00Z", use{Input: m, Output: m}, 1.50 + 7.50},
		{"GPT-5.6 Luna before the cut of 07-30", "gpt-5.6-luna", "2026-07-29T12:00:00Z", use{Input: 100 * k, Output: 100 * k}, 0.1 + 0.6},
		{"GPT-5.6 Sol after the cut of 08-21", "gpt-5.6-sol", "2026-08-21T00:00:00Z", use{Input: 100 * k, Output: 100 * k}, 0.4 + 2},

		// Cache prices are no fixed share of the input price.
		{"Fable 5.1's cache reads", "claude-fable-5-1", "2026-10-01T12:00:00Z", use{CacheRead: m}, 0.25},
		{"Fable 5's cache reads", "claude-fable-5", "2026-10-01T12:00:00Z", use{CacheRead: m}, 1},
		// facts of AWS's agent-cost-bench: 702,443 of 703,051 uncached tokens were writes.
		{"GPT from 5.6 on has a price for cache writes", "gpt-6-sol", "2026-09-20T12:00:00Z", use{Input: 100, CacheWrite: 200 * k}, 0.0002 + 0.5},
		{"GPT-5.5 has none: writes cost what input costs", "gpt-5.5", "2026-06-01T12:00:00Z", use{CacheWrite: 100 * k, CacheWrite1h: 100 * k}, 0.5},
	} {
		got, ok := Embedded().Cost(c.usage, c.model, moment(c.at))
		if !ok || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: $%v, %t; want $%v", c.name, got, ok, c.want)
		}
	}
}

// TestPricesOfTheCLI: the figures that Claude Code 2.1.332 works with, for the
// ids that it answers for itself.
func TestPricesOfTheCLI(t *testing.T) {
	at := moment("2026-11-30T12:00:00Z")
	for _, c := range []struct {
		model                            string
		input, output, read, write, hour float64
	}{
		{"claude-opus-5-5", 4, 20, 0.2, 5, 8},
		{"claude-sonnet-5-5", 2, 10, 0.1, 2.5, 4},
		{"claude-haiku-5-5", 0.1, 0.5, 0.01, 0.125, 0.2},
		{"claude-fable-5-2", 8, 40, 0.2, 10, 16},
		{"claude-opus-5", 5, 25, 0.5, 6.25, 10},
		{"claude-opus-4-8", 5, 25, 0.5, 6.25, 10},
		{"claude-sonnet-5", 2, 10, 0.2, 2.5, 4},
		{"claude-haiku-4-5", 1, 5, 0.1, 1.25, 2},
		{"claude-opus-4-7", 5, 25, 0.5, 6.25, 10},
		{"claude-opus-4-6", 5, 25, 0.5, 6.25, 10},
		{"claude-opus-4-5", 5, 25, 0.5, 6.25, 10},
		{"claude-sonnet-4-6", 3, 15, 0.3, 3.75, 6},
		{"claude-sonnet-4-5", 3, 15, 0.3, 3.75, 6},
		{"claude-fable-5-1", 10, 50, 0.25, 12.5, 20},
		{"claude-fable-5", 10, 50, 1, 12.5, 20},
		{"claude-mythos-5", 10, 50, 1, 12.5, 20},
	} {
		const n = 10_000 // no prompt here reaches a tier
		for part, want := range map[harness.Usage]float64{
			{Input: n}: c.input, {Output: n}: c.output, {CacheRead: n}: c.read,
			{CacheWrite: n}: c.write, {CacheWrite: n, CacheWrite1h: n}: c.hour,
		} {
			got, ok := Embedded().Cost(part, c.model, at)
			if !ok || math.Abs(got*1_000_000/n-want) > 1e-9 {
				t.Errorf("%s, %+v: $%v a million, %t; want $%v", c.model, part, got*1_000_000/n, ok, want)
			}
		}
	}
}

// TestBasis: how right a figure is.
func TestBasis(t *testing.T) {
	million := harness.Usage{Output: 1_000_000}
	for _, c := range []struct {
		name, model, harness, at string
		basis                    Basis
		as                       string
		want                     float64
	}{
		{"a listed model", "claude-opus-5-5", harness.ClaudeCode, "2026-11-01T12:00:00Z", Listed, "claude-opus-5-5", 20},
		// openai/codex#32224: a role whose model OpenAI has changed.
		{"the reviewer's model before 07-30", "codex-auto-review", harness.Codex, "2026-07-29T23:59:59Z", StoodIn, "gpt-5.5", 30},
		{"the reviewer's model since", "codex-auto-review", harness.Codex, "2026-07-30T00:00:00Z", StoodIn, "gpt-5.6-luna", 1.2},
		// calebevans/mulder#148: a model behind a proxy, priced as Claude.
		{"a model of nobody we price", "glm-5", harness.ClaudeCode, "2026-11-01T12:00:00Z", ByDearest, "claude-mythos-5-1", 50},
		{"a newer model of a family", "claude-opus-6", harness.ClaudeCode, "2026-11-01T12:00:00Z", ByFamily, "claude-opus-5-5", 20},
		{"the same in another summer", "claude-opus-6", harness.ClaudeCode, "2026-08-01T12:00:00Z", ByFamily, "claude-opus-5", 25},
		{"a Haiku before Haiku 5.5", "claude-haiku-9", harness.ClaudeCode, "2026-10-06T23:59:59Z", ByFamily, "claude-haiku-4-5", 5},
		{"a Haiku after it", "claude-haiku-9", harness.ClaudeCode, "2026-10-07T00:00:00Z", ByFamily, "claude-haiku-5-5", 0.5},
		{"a Mythos", "claude-mythos-6", harness.ClaudeCode, "2026-11-01T12:00:00Z", ByFamily, "claude-mythos-5-1", 50},
		{"a Gemini", "gemini-4-pro", harness.GeminiCLI, "2026-11-01T12:00:00Z", ByFamily, "gemini-3.1-pro-preview", 12},
		{"whatever Gemini CLI runs", "aurora", harness.GeminiCLI, "2026-11-01T12:00:00Z", ByFamily, "gemini-3.1-pro-preview", 12},
		{"whatever Codex runs", "aurora", harness.Codex, "2026-11-01T12:00:00Z", ByFamily, "gpt-6-astra", 50},
		{"before any model of its family", "claude-haiku-9", harness.ClaudeCode, "2023-01-01T12:00:00Z", ByFamily, "claude-haiku-3-5", 4},
		{"in fast mode", "claude-opus-6-fast", harness.ClaudeCode, "2026-11-01T12:00:00Z", ByFamily, "claude-opus-5-5", 40},
		{"on a regional profile", "us.anthropic.claude-opus-6-v1:0", harness.ClaudeCode, "2026-11-01T12:00:00Z", ByFamily, "claude-opus-5-5", 22},
	} {
		got := Embedded().Price(million, c.model, c.harness, moment(c.at))
		if got.Basis != c.basis || got.Model.ID != c.as || math.Abs(got.USD-c.want) > 1e-9 || got.Estimated() != (c.basis != Listed) {
			t.Errorf("%s: $%v by %d as %s; want $%v by %d as %s", c.name, got.USD, got.Basis, got.Model.ID, c.want, c.basis, c.as)
		}
		if _, listed := Embedded().Cost(million, c.model, moment(c.at)); listed != (c.basis == Listed) {
			t.Errorf("%s: it has a price of its own: %t", c.name, listed)
		}
	}
}
