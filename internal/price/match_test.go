package price

import (
	"encoding/json"
	"os"
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
		if m := table.Match(row.Model); m != nil {
			got = m.ID
		}
		if got != row.Want {
			t.Errorf("%q is priced as %q, want %q", row.Model, got, row.Want)
		}
	}
}

// FuzzMatch: no id panics, and one that matches holds the row's id.
func FuzzMatch(f *testing.F) {
	for _, id := range []string{"us.anthropic.claude-opus-4-8-v1:0", "claude-opus-5-5[1m]", "gpt-5.5-pro", "a]b]", "-v:", "@", "]["} {
		f.Add(id)
	}
	table := Embedded()
	f.Fuzz(func(t *testing.T, id string) {
		if m := table.Match(id); m != nil && len(m.ID) > len(id) {
			t.Fatalf("%q is priced as %q", id, m.ID)
		}
	})
}
