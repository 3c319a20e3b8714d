package drive

import (
	"fmt"
	"sync"
	"time"

	"checkrein/internal/trial"
)

// bank is the one place where money moves: the book in memory, and the ledger
// on disk, which is written first.
type bank struct {
	mu     sync.Mutex
	book   trial.Book
	ledger *lines
	now    func() time.Time
	freed  chan struct{} // gets a value when money came back
}

// reserve sets money aside for a run; false when none is left.
func (b *bank) reserve(run string, id trial.ID, high float64) (usd float64, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	usd, ok = b.book.Reserve(run, high)
	if !ok {
		return 0, false, nil
	}
	err = b.write(b.entry(trial.Reserve, run, id, usd, ""))
	return usd, true, err
}

// settle charges a run whose agent is gone, and gives the rest back. It returns
// what all runs have been charged.
func (b *bank) settle(run string, id trial.ID, bill trial.Bill) (spent float64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := b.book.Settle(run, bill.Charge)
	err = b.write(b.entry(trial.Settle, run, id, bill.Charge, bill.Source), b.entry(trial.Release, run, id, rest, ""))
	select {
	case b.freed <- struct{}{}:
	default:
	}
	return b.book.Spent, err
}

func (b *bank) spent() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.book.Spent
}

func (b *bank) entry(op trial.Op, run string, id trial.ID, usd float64, source string) any {
	return trial.Entry{At: b.now().UTC(), Op: op, Run: run, ID: id, USD: usd, Source: source}
}

func (b *bank) write(entries ...any) error {
	if err := b.ledger.add(entries...); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}
