package trial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"checkrein/internal/harness"
	"checkrein/internal/trial"
)

func TestBookReservesWhatIsLeft(t *testing.T) {
	b := &trial.Book{Cap: 5, Spent: 1}
	for _, step := range []struct {
		run  string
		high float64
		want float64
		ok   bool
	}{{"a", 3, 3, true}, {"b", 3, 1, true}, {"c", 3, 0, false}, {"free", 0, 0, false}} {
		if got, ok := b.Reserve(step.run, step.high); got != step.want || ok != step.ok {
			t.Fatalf("Reserve(%s) = %v, %v, want %v, %v", step.run, got, ok, step.want, step.ok)
		}
	}
	if rest := b.Settle("a", 0.5); rest != 2.5 {
		t.Errorf("rest of a = %v, want 2.5", rest)
	}
	if got, ok := b.Reserve("c", 3); !ok || got != 2.5 {
		t.Errorf("after a's end Reserve(c) = %v, %v, want 2.5, true", got, ok)
	}
	if rest := b.Settle("b", 4); rest != 0 || b.Spent != 5.5 {
		t.Errorf("a charge above its reservation: rest %v, spent %v, want 0, 5.5", rest, b.Spent)
	}
}

// As the sequential rule has it: a run starts while the counted spend is below
// the cap, by however little.
func TestBookStartsWhileAnythingIsLeft(t *testing.T) {
	b := &trial.Book{Cap: 0.3, Spent: 0.1 + 0.2 - 1e-16}
	if _, ok := b.Reserve("a", 1); ok != (b.Spent < b.Cap) {
		t.Errorf("spent %v of %v: ok = %v", b.Spent, b.Cap, ok)
	}
	full := &trial.Book{Cap: 0.3, Spent: 0.3}
	if _, ok := full.Reserve("a", 0); ok {
		t.Error("an unpriced run started although nothing is left")
	}
}

// Whatever the order, reservations never pass what is left, so as long as every
// run stays within its reservation the cap holds.
func TestBookNeverPromisesMoreThanTheCap(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := &trial.Book{Cap: r.Float64() * 10}
		open := map[string]float64{}
		for i := range 200 {
			if r.IntN(2) == 0 {
				run := fmt.Sprint(i)
				if usd, ok := b.Reserve(run, r.Float64()*3); ok {
					open[run] = usd
				}
			} else {
				for run, usd := range open {
					b.Settle(run, usd*r.Float64())
					delete(open, run)
					break
				}
			}
			if b.Spent+b.Held() > b.Cap+1e-6 {
				t.Fatalf("seed %d: %v spent and %v held of %v", seed, b.Spent, b.Held(), b.Cap)
			}
		}
	}
}

func TestCharge(t *testing.T) {
	known := harness.Outcome{Cost: new(0.5), Source: harness.Reported, Worked: true}
	for name, c := range map[string]struct {
		o        harness.Outcome
		priced   bool
		timedOut bool
		seconds  float64
		charge   float64
		source   string
	}{
		"measured":                      {known, true, false, 5, 0.5, "reported"},
		"measured, though it timed out": {known, true, true, 900, 0.5, "reported"},
		"unpriced":                      {harness.Outcome{Worked: true}, false, true, 900, 0, "unpriced"},
		"time-out":                      {harness.Outcome{}, true, true, 900, 2, "unmeasured"},
		"short time-out":                {harness.Outcome{}, true, true, 60, 2, "unmeasured"},
		"long time-out":                 {harness.Outcome{}, true, true, 2700, 6, "unmeasured"},
		"model work":                    {harness.Outcome{Worked: true}, true, false, 2700, 2, "unmeasured"},
		"no model reached":              {harness.Outcome{Error: "not logged in"}, true, false, 3, 0, ""},
	} {
		got := trial.Charge(c.o, c.priced, 2, c.timedOut, c.seconds)
		if math.Abs(got.Charge-c.charge) > 1e-12 || got.Source != c.source || (got.Cost != nil) != (got.Source == harness.Reported) {
			t.Errorf("%s: %+v, want %v %q", name, got, c.charge, c.source)
		}
	}
}

func TestChargeLost(t *testing.T) {
	for name, c := range map[string]struct {
		o      harness.Outcome
		priced bool
		charge float64
		source string
	}{
		"final cost in the output": {harness.Outcome{Cost: new(0.3), Source: harness.Reported}, true, 0.3, "reported"},
		"tokens in the output":     {harness.Outcome{Cost: new(0.3), Source: harness.FromTokens}, true, 0.3, "tokens"},
		"cut off below":            {harness.Outcome{Cost: new(0.3), Source: harness.Partial}, true, 1, "unmeasured"},
		"cut off above":            {harness.Outcome{Cost: new(1.3), Source: harness.Partial}, true, 1.3, "unmeasured"},
		"nothing to read":          {harness.Outcome{}, true, 1, "unmeasured"},
		"unpriced":                 {harness.Outcome{}, false, 0, "unpriced"},
	} {
		if got := trial.ChargeLost(c.o, c.priced, 1); got.Charge != c.charge || got.Source != c.source {
			t.Errorf("%s: %+v, want %v %q", name, got, c.charge, c.source)
		}
	}
}

func TestReadLedger(t *testing.T) {
	got := trial.ReadLedger([]byte(`{"op":"reserve","run":"a","trial":{"task":"t","variant":"v","attempt":1},"usd":2}
{"op":"reserve","run":"b","usd":1}
{"op":"charge","run":"a","usd":0.5,"source":"reported"}
not json
{"op":"release","run":"a","usd":1.5}
{"op":"charge","run":"b","us`))
	if len(got) != 2 || got[0].ID != (trial.ID{Task: "t", Variant: "v", Attempt: 1}) || got[0].Charged == nil ||
		*got[0].Charged != 0.5 || !got[0].Closed || got[0].Source != "reported" {
		t.Fatalf("a = %+v", got)
	}
	if got[1].Reserved != 1 || got[1].Charged != nil || got[1].Closed {
		t.Errorf("b = %+v, want reserved and open", got[1])
	}
}
