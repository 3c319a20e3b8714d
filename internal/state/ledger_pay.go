package state

import (
	"errors"
	"io/fs"
	"time"

	"checkrein/internal/budget"
)

// payment is one payer's way to the ledger.
type payment struct {
	Store
	payer   string // the stem of its file
	project string
	given   []budget.Sum // all it has spent, in order
	now     time.Time
}

// nothingNew tells, without the lock, whether the payer's own file already says
// all. Only its payer adds to that.
func (p *payment) nothingNew() bool {
	if len(p.given) == 0 {
		return true
	}
	paid, err := p.peek(p.payer + paidSuffix)
	return err == nil && len(owed(p.given, paid.last)) == 0
}

// make pays under the ledger's lock.
func (p *payment) make() (budget.Totals, error) {
	l, err := p.openLedger(p.now)
	if err != nil {
		return budget.Totals{}, err
	}
	paid, err := p.paid(l)
	if err != nil {
		return l.totals(p.project), err
	}
	sums := owed(p.given, paid)
	if len(sums) == 0 {
		return l.totals(p.project), nil
	}
	if err := p.settle(l); err != nil {
		return l.totals(p.project), err
	}
	today := budget.Key(p.now)
	paid.add(sums, p.project, today)
	l.add(sums, p.project, today)
	l.payer, l.last = p.payer, paid
	if err := replace(p.path(ledgerFile), l.bytes()); err != nil {
		return budget.Totals{}, err
	}
	return l.totals(p.project), p.writePaid(p.payer, paid)
}

// settle writes the file of the payer that came last, unless that was done.
func (p *payment) settle(l ledger) error {
	if l.payer == "" || l.payer == p.payer {
		return nil
	}
	written, err := p.readLedger(l.payer + paidSuffix)
	if err == nil && written.last.total >= l.last.total || errors.Is(err, ErrNewer) {
		return nil
	}
	return p.writePaid(l.payer, l.last)
}

func (p *payment) writePaid(payer string, paid book) error {
	return replace(p.path(payer+paidSuffix), ledger{payer: payer, last: paid}.bytes())
}

// paid is what the payer has paid, as its own file or the ledger has it.
func (p *payment) paid(l ledger) (book, error) {
	own, err := p.readLedger(p.payer + paidSuffix)
	switch {
	case errors.Is(err, ErrNewer):
		return book{}, err
	case l.payer == p.payer && l.last.total > own.last.total:
		return l.last, nil
	case errors.Is(err, fs.ErrNotExist):
		return p.unknown(), nil
	case errors.Is(err, errBroken):
		return p.broken()
	}
	return own.last, err
}

// unknown is what counts as paid for a payer without a file: what it spent so
// long ago that its file may have been pruned.
func (p *payment) unknown() (paid book) {
	first := budget.Key(p.now.AddDate(0, 0, -keptDays))
	for _, s := range p.given {
		if s.Day < first {
			paid.total = paid.total.Plus(s.Nano)
		}
	}
	return paid
}

// broken makes the file of a payer anew that a power cut has damaged. Most of
// what is given was paid, so all of it counts as paid: to pay all of it again
// would be further from the truth.
func (p *payment) broken() (paid book, err error) {
	p.LogError("ledger", "what "+p.payer+" has paid is not what was written; what it has spent so far counts as paid", p.now)
	paid.add(p.given, "", "")
	return paid, p.writePaid(p.payer, paid)
}

// owed is what is given beyond what was paid. The sum decides how much that is,
// and the days only where it goes, the latest first: when a session is counted
// again in another time zone, its dollars move from day to day and are not paid
// twice.
func owed(given []budget.Sum, paid book) (sums []budget.Sum) {
	var all budget.Nano
	for _, s := range given {
		all = all.Plus(s.Nano)
	}
	rest := all - paid.total
	for i := len(given) - 1; i >= 0 && rest > 0; i-- {
		s := given[i]
		if s.Nano = min(s.Nano-paid.day(s.Day), rest); s.Nano > 0 {
			sums = append(sums, s)
			rest -= s.Nano
		}
	}
	return sums
}

// inOrder is a vector as a list. What is no day, or one that has not come yet,
// is today: nobody's made-up days may push the real ones out of the ledger.
func inOrder(days map[string]int64, now time.Time) (sums []budget.Sum) {
	today, tomorrow := budget.Key(now), budget.Key(now.AddDate(0, 0, 1)) // tomorrow: a zone further east
	for day, n := range days {
		if !isDay(day) || day > tomorrow {
			day = today
		}
		if n > 0 {
			sums = budget.Add(sums, day, budget.Nano(n))
		}
	}
	return sums
}

// isDay tells whether a text has the form 2006-01-02.
func isDay(text string) bool {
	for i := range len(text) {
		if dash := i == 4 || i == 7; dash != (text[i] == '-') || !dash && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return len(text) == len(time.DateOnly)
}
