package redact_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"checkrein/internal/redact"

	"github.com/google/go-cmp/cmp"
)

// golden is one line of testdata/golden.jsonl; testdata/README.md has its recipe.
type golden struct {
	Text    string `json:"text"`
	Limit   int    `json:"limit"`
	Secrets string `json:"secrets"`
	Line    string `json:"line"`
}

func readGolden(t testing.TB) []golden {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var rows []golden
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var row golden
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestGolden(t *testing.T) {
	rows := readGolden(t)
	if len(rows) < 1500 {
		t.Fatalf("testdata/golden.jsonl holds %d cases; it was cut short", len(rows))
	}
	for _, want := range rows {
		got := golden{want.Text, want.Limit, redact.Secrets(want.Text), redact.Line(want.Text, want.Limit)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-reference +got):\n%s", want.Text, diff)
		}
	}
}
