package trial

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
)

// Entry is one line of ledger.jsonl: money set aside, charged, or given back.
type Entry struct {
	At     time.Time `json:"at"`
	Op     Op        `json:"op"`
	Run    string    `json:"run"`
	ID     ID        `json:"trial"`
	USD    float64   `json:"usd"`
	Source string    `json:"source,omitzero"` // Charge: how the cost is known
}

// Op is what an entry does.
type Op string

// The life of a run's money: reserved before anything starts, charged when the
// agent is gone and before its work is scored, the rest released at the end.
const (
	Reserve Op = "reserve"
	Settle  Op = "charge"
	Release Op = "release"
)

// Account is what the ledger says of one run.
type Account struct {
	Run      string
	ID       ID
	Reserved float64
	Charged  *float64 // nil when no charge was written
	Source   string
	Closed   bool // released
}

// ReadLedger folds the ledger's lines into one account per run, in the order of
// their reservations. A line cut short by a stop is passed over.
func ReadLedger(text []byte) []Account {
	place := map[string]int{}
	var out []Account
	for line := range bytes.Lines(text) {
		var e Entry
		if json.Unmarshal(line, &e, lenient()) != nil || e.Run == "" {
			continue
		}
		i, known := place[e.Run]
		if !known {
			i = len(out)
			place[e.Run] = i
			out = append(out, Account{Run: e.Run, ID: e.ID})
		}
		a := &out[i]
		switch e.Op {
		case Reserve:
			a.Reserved = e.USD
		case Settle:
			a.Charged, a.Source = &e.USD, e.Source
		case Release:
			a.Closed = true
		}
	}
	return out
}
