package state

import (
	"bytes"
	"strconv"
	"strings"

	"checkrein/internal/budget"
)

// parseLedger reads a file of the ledger: all of it, or [errBroken], or
// [ErrNewer].
func parseLedger(data []byte) (l ledger, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(ledgerHead))
	head, rest, _ := bytes.Cut(rest, []byte("\n"))
	version, err := strconv.Atoi(string(head))
	if !ok || err != nil {
		return l, errBroken
	}
	if version > ledgerVersion {
		return l, ErrNewer
	}
	last := bytes.LastIndex(rest, []byte("sum "))
	if version != ledgerVersion || last < 0 || string(rest[last:]) != sumLine(data[:len(data)-len(rest)+last]) {
		return l, errBroken
	}
	b := &l.book
	b.days = make([]budget.Sum, 0, keptDays+1)
	for line := range strings.Lines(string(rest[:last])) {
		line = strings.TrimSuffix(line, "\n")
		if payer, ok := strings.CutPrefix(line, "payer "); ok && l.payer == "" && plain(payer) {
			l.payer, b = payer, &l.last
		} else if !b.line(line) {
			return ledger{}, errBroken
		}
	}
	return l, nil
}

// line takes one line; false when it is none.
func (b *book) line(line string) bool {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "total":
		return parseAmount(rest, &b.total)
	case "day":
		day, n, _ := strings.Cut(rest, " ")
		s := budget.Sum{Day: day}
		if !isDay(day) || !parseAmount(n, &s.Nano) || len(b.days) > 0 && b.days[len(b.days)-1].Day >= day {
			return false
		}
		b.days = append(b.days, s)
		return true
	case "project":
		return b.projectLine(rest)
	}
	return false
}

func (b *book) projectLine(rest string) bool {
	var p projectSum
	var spent, before string
	p.id, rest, _ = strings.Cut(rest, " ")
	spent, rest, _ = strings.Cut(rest, " ")
	before, p.used, _ = strings.Cut(rest, " ")
	if !plain(p.id) || !isDay(p.used) || !parseAmount(spent, &p.spent) || !parseAmount(before, &p.before) {
		return false
	}
	b.projects = append(b.projects, p)
	return true
}

func parseAmount(text string, n *budget.Nano) bool {
	v, err := strconv.ParseInt(text, 10, 64)
	*n = budget.Nano(v)
	return err == nil && v >= 0 && *n <= budget.Max
}
