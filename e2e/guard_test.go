//go:build e2e

package e2e

import (
	"encoding/json"
	"math"
	"testing"

	"checkrein/e2e/modelserver"
)

// status is the part of `checkrein guard status --json` that the cases look at.
type status struct {
	Session string         `json:"session"`
	Spent   float64        `json:"spent_usd"`
	Total   float64        `json:"total_usd"`
	Unseen  float64        `json:"unseen_usd"`
	Trips   map[string]int `json:"trips"`
	Resets  int            `json:"resets"`
	Errors  int            `json:"errors_logged"`
}

// guard runs `checkrein guard …`, which must succeed.
func (h *home) guard(args ...string) output {
	h.t.Helper()
	return h.run(nil, append([]string{kit.checkrein, "guard"}, args...)...).ok()
}

// status asks the guard what it knows of the newest session, and insists that
// it met no internal error: those let calls through without a word.
func (h *home) status() status {
	h.t.Helper()
	out := h.guard("status", "--json")
	var s status
	if err := json.Unmarshal([]byte(out.stdout), &s); err != nil {
		out.fatal("reading the status: %v", err)
	}
	if s.Errors != 0 {
		h.t.Errorf("the guard logged errors:\n%s", h.read("state/runaway-guard/errors.log"))
	}
	return s
}

// spent is what every answer of the model cost at list prices.
func (h *home) spent() float64 {
	total := 0.0
	for _, r := range h.model.Requests() {
		if r.Usage != (modelserver.Usage{}) {
			total += price(h.t, r.Model, r.Usage)
		}
	}
	return total
}

// price is worked out here once more, so that a wrong price table shows.
func price(t *testing.T, model string, u modelserver.Usage) float64 {
	t.Helper()
	var in, read, write5m, write1h, out float64 // dollars per million tokens
	switch model {
	case "claude-opus-5-5":
		in, read, write5m, write1h, out = 4, 0.20, 5, 8, 20
	case "claude-haiku-4-5":
		in, read, write5m, write1h, out = 1, 0.10, 1.25, 2, 5
	case "gpt-5.5":
		in, read, write5m, write1h, out = 5, 0.50, 5, 5, 30
	case "gpt-6-sol":
		in, read, write5m, write1h, out = 2, 0.20, 2.50, 2.50, 10
	case geminiModel:
		in, read, write5m, write1h, out = 2, 0.20, 2, 2, 12
	default:
		t.Fatalf("no price for %q", model)
	}
	micros := float64(u.Input)*in + float64(u.CacheRead)*read +
		float64(u.CacheWrite5m)*write5m + float64(u.CacheWrite1h)*write1h + float64(u.Output)*out
	return micros / 1e6
}

// sameMoney compares dollars; sums in another order differ in the last bits.
func sameMoney(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: $%.6f, want $%.6f", what, got, want)
	}
}
