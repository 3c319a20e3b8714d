package pi

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/go-json-experiment/json"

	"checkrein/internal/harness"
	"checkrein/internal/price"
)

const recorded = "testdata/sessions/full/2026-11-30T10-57-38-685Z_01a22c1a-6b7b-72fb-9dc8-c878ea827718.jsonl"

// ownPrices is a price table of what the recorded session's models.json said of
// its model, in the unit that both use.
func ownPrices(t *testing.T) *price.Table {
	t.Helper()
	var config struct {
		Providers map[string]struct {
			Models []struct {
				ID   string `json:"id"`
				Cost struct {
					Input      float64 `json:"input"`
					Output     float64 `json:"output"`
					CacheRead  float64 `json:"cacheRead"`
					CacheWrite float64 `json:"cacheWrite"`
				} `json:"cost"`
			} `json:"models"`
		} `json:"providers"`
	}
	if err := json.Unmarshal(file(t, "testdata/models.json"), &config); err != nil {
		t.Fatal(err)
	}
	models := config.Providers["scripted"].Models
	if len(models) != 1 || models[0].Cost.Input == 0 {
		t.Fatal("models.json has no prices: this tests nothing")
	}
	rates := models[0].Cost
	return &price.Table{Models: []price.Model{{ID: models[0].ID, Periods: []price.Period{{Tiers: []price.Rates{{
		Input: rates.Input, Output: rates.Output, CacheRead: rates.CacheRead, CacheWrite5m: rates.CacheWrite,
	}}}}}}}
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCostIsWhatPiSaid prices the tokens that the reader finds at the session's
// own prices and holds that, exactly, against the cost that pi wrote with each
// response, read here without the reader.
func TestCostIsWhatPiSaid(t *testing.T) {
	var said []float64
	for line := range bytes.Lines(file(t, recorded)) {
		var l struct {
			Message struct {
				Role  string `json:"role"`
				Usage struct {
					Cost struct {
						Total float64 `json:"total"`
					} `json:"cost"`
				} `json:"usage"`
			} `json:"message"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Message.Role == "assistant" {
			said = append(said, l.Message.Usage.Cost.Total)
		}
	}
	got := read(string(file(t, recorded)))
	if len(got) != 5 || len(said) != 5 {
		t.Fatalf("%d responses counted, pi wrote %d", len(got), len(said))
	}
	prices := ownPrices(t)
	for i, e := range got {
		usd, ok := prices.Cost(e.Usage, e.Model, e.Time)
		if !ok || said[i] == 0 || math.Abs(usd-said[i]) > 1e-12 || e.USD != said[i] {
			t.Errorf("%s: $%.9f counted, $%.9f read, pi said $%.9f", e, usd, e.USD, said[i])
		}
	}
}

// read gives the reader all lines of a session.
func read(text string) (all []harness.Event) {
	r := NewReader(func(e harness.Event) { all = append(all, e) }, harness.Resume{})
	at := int64(0)
	for line := range bytes.Lines([]byte(text)) {
		r.Line(at, bytes.TrimSuffix(line, []byte("\n")))
		at += int64(len(line))
	}
	r.Close(at, true)
	return all
}
