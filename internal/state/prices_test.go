package state_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/price"
	"checkrein/internal/state"
)

func priceOf(t *price.Table, model string) float64 {
	usd, _ := t.Cost(harness.Usage{Output: 1_000_000}, model, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	return usd
}

func TestPrices(t *testing.T) {
	store := state.Store{Dir: t.TempDir()}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(store.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var problems []error
	prices := func() *price.Table {
		problems = nil
		return store.Prices(func(err error) { problems = append(problems, err) })
	}
	if got := priceOf(prices(), "claude-opus-5-5"); got != 20 || priceOf(prices(), "glm-5") != 0 || problems != nil {
		t.Errorf("without files: $%v, %v", got, problems)
	}
	write("prices.json", `{"models": [{"id": "claude-opus-5-5", "input": 1, "output": 7}]}`)
	write("prices-imported.json", `{"models": [{"id": "glm-5", "input": 1, "output": 3}, {"id": "claude-opus-5-5", "input": 1, "output": 900}]}`)
	table := prices()
	if priceOf(table, "claude-opus-5-5") != 7 || priceOf(table, "glm-5") != 3 || priceOf(table, "claude-opus-5") != 25 || problems != nil {
		t.Errorf("yours above, the imported beneath: %v, %v, %v, %v", priceOf(table, "claude-opus-5-5"), priceOf(table, "glm-5"), priceOf(table, "claude-opus-5"), problems)
	}
	write("prices.json", `{"models": [{"id": "claude-opus-5-5", "input": 1, "output": -7}]}`)
	write("prices-imported.json", `{"models": [{"id": "glm-5"`)
	table = prices()
	if priceOf(table, "claude-opus-5-5") != 20 || priceOf(table, "glm-5") != 0 || priceOf(table, "glm-6") != 0 {
		t.Error("a broken table is not left out")
	}
	if len(problems) != 2 || !strings.Contains(problems[0].Error(), `prices.json is left out: price table entry "claude-opus-5-5"`) ||
		!strings.Contains(problems[1].Error(), "prices-imported.json is left out:") {
		t.Errorf("problems: %v", problems)
	}
	_ = os.Remove(filepath.Join(store.Dir, "prices.json"))
	if err := os.Mkdir(filepath.Join(store.Dir, "prices.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if prices(); len(problems) != 1 || !strings.Contains(errors.Join(problems...).Error(), "no plain file") {
		t.Errorf("a folder in its place: %v", problems)
	}
}

func TestImportedPricesAreKept(t *testing.T) {
	store := state.Store{Dir: filepath.Join(t.TempDir(), "new")}
	for _, output := range []float64{3, 4} {
		table := &price.Table{Checked: "2026-11-30", Models: []price.Model{{ID: "glm-5", Periods: []price.Period{{Tiers: []price.Rates{{Input: 1, Output: output}}}}}}}
		if err := store.SaveImported(table); err != nil {
			t.Fatal(err)
		}
		if got := priceOf(store.Prices(func(err error) { t.Error(err) }), "glm-5"); got != output {
			t.Errorf("it costs $%v, not $%v", got, output)
		}
	}
	old := time.Now().AddDate(-1, 0, 0)
	for _, name := range []string{"prices.json", "prices-imported.json"} {
		path := filepath.Join(store.Dir, name)
		_ = os.WriteFile(path, []byte(`{"models": []}`), 0o600)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	store.Prune("s", time.Now())
	if len(store.Sessions()) != 0 || state.Stem("prices") == "prices" || state.Stem("prices-imported") == "prices-imported" {
		t.Error("a price table is taken for a session")
	}
	for _, name := range []string{"prices.json", "prices-imported.json"} {
		if _, err := os.Stat(filepath.Join(store.Dir, name)); err != nil {
			t.Error(err)
		}
	}
}
