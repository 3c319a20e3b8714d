package price

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestMatchEqualsPython compares with the row that the Python guard took;
// testdata/README.md tells how the list was made.
func TestMatchEqualsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/matches.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Known []string
		Rows  []struct{ Model, Want string }
	}
	if err := json.Unmarshal(data, &recorded); err != nil || len(recorded.Rows) < 200 {
		t.Fatalf("%d rows, error %v", len(recorded.Rows), err)
	}
	table := new(Table)
	for _, id := range recorded.Known {
		table.Models = append(table.Models, Model{ID: id})
	}
	for _, row := range recorded.Rows {
		got := ""
		if m := table.Find(row.Model).Model; m != nil {
			got = m.ID
		}
		if got != row.Want && (row.Want != "" || !ours(row.Model)) {
			t.Errorf("%q is priced as %q, want %q", row.Model, got, row.Want)
		}
	}
}

// ours are spellings that the Python guard does not know: gateways' prefixes
// and dots, and a region of Bedrock.
func ours(id string) bool {
	return strings.HasPrefix(id, "anthropic/") || strings.HasPrefix(id, "openrouter/") || strings.HasPrefix(id, "ca.") || id == "claude-opus-5.5"
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		id, row string
		how     How
		profile bool
		fast    bool
	}{
		{"claude-opus-5-5", "claude-opus-5-5", Exact, false, false},
		{"opus", "claude-opus-5-5", Alias, false, false},
		{"sonnet[1m]", "claude-sonnet-5-5", Wrapped, false, false},
		{"haiku", "claude-haiku-5-5", Alias, false, false},
		{"claude-3-5-haiku-latest", "claude-haiku-3-5", Wrapped, false, false},
		{"claude-3-5-haiku-20241022", "claude-haiku-3-5", Wrapped, false, false},
		{"claude-opus-4-20250514", "claude-opus-4", Wrapped, false, false},
		{"us.anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8", Wrapped, true, false},
		{"eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", Wrapped, true, false},
		{"global.anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8", Wrapped, false, false},
		{"anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8", Wrapped, false, false},
		{"bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5", Wrapped, true, false},
		{"arn:aws:bedrock:us-east-1:1234:inference-profile/us.anthropic.claude-opus-5-v1:0", "claude-opus-5", Wrapped, true, false},
		{"vertex_ai/claude-opus-4-8@20260101", "claude-opus-4-8", Wrapped, false, false},
		{"claude-haiku-4-5@20251001", "claude-haiku-4-5", Wrapped, false, false},
		{"openrouter/anthropic/claude-opus-4.8", "claude-opus-4-8", Wrapped, false, false},
		{"anthropic/claude-opus-4.8-fast", "claude-opus-4-8", Wrapped, false, true},
		{"azure/gpt-5.5", "gpt-5.5", Wrapped, false, false},
		{"azure/eu/gpt-5.5", "gpt-5.5", Wrapped, true, false},
		{"openai/gpt-6.1-sol-2026-09-29", "gpt-6.1-sol", Wrapped, false, false},
		{"gpt-6-sol-high", "gpt-6-sol", Begins, false, false},
		{"gpt-5.1-codex-mini", "gpt-5.1-codex-mini", Exact, false, false},
		{"models/gemini-2.5-flash-lite", "gemini-2.5-flash-lite", Wrapped, false, false},
		{"gemini-3.1-pro-preview-customtools", "gemini-3.1-pro-preview", Begins, false, false},
		{"codex-auto-review", "codex-auto-review", Exact, false, false},
		// Another version or size is another model.
		{"claude-opus-5-6", "", NoRow, false, false},
		{"claude-opus-5.6", "", NoRow, false, false},
		{"us.anthropic.claude-opus-6-v1:0", "", NoRow, true, false},
		{"gpt-6.2-sol", "", NoRow, false, false},
		{"gpt-5.5-pro", "", NoRow, false, false},
		{"gpt-5.3-codex-spark", "", NoRow, false, false},
		{"gemini-2.5-flash-image", "", NoRow, false, false},
		{"gemini-3-flash", "", NoRow, false, false},
		{"zai/glm-5", "", NoRow, false, false},
		{"", "", NoRow, false, false},
	} {
		got, row := Embedded().Find(c.id), ""
		if got.Model != nil {
			row = got.Model.ID
		}
		if row != c.row || got.How != c.how || got.Profile != c.profile || got.Fast != c.fast {
			t.Errorf("%q: row %q, found by %d, profile %t, fast %t; want %q, %d, %t, %t", c.id, row, got.How, got.Profile, got.Fast, c.row, c.how, c.profile, c.fast)
		}
	}
}

// FuzzMatch: no id panics, and one that matches holds an id of the row.
func FuzzMatch(f *testing.F) {
	for _, id := range []string{"us.anthropic.claude-opus-4-8-v1:0", "claude-opus-5-5[1m]", "gpt-5.5-pro", "a]b]", "-v:", "@", "][", "x/opus-latest", "/-fast", "claude-.-fast"} {
		f.Add(id)
	}
	table := Embedded()
	f.Fuzz(func(t *testing.T, id string) {
		m := table.Match(id)
		if m == nil {
			return
		}
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			if strings.Contains(id, name) || strings.Contains(strings.ReplaceAll(id, ".", "-"), name) {
				return
			}
		}
		t.Fatalf("%q is priced as %q", id, m.ID)
	})
}
