package state

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"checkrein/internal/budget"
)

// Bounds of the ledger. No cap looks back further than a month.
const (
	keptDays    = 100  // the latest days on which anything was paid
	maxProjects = 1000 // the most recently used
)

// book is what was paid: by one payer, or by all.
type book struct {
	total    budget.Nano // ever
	days     []budget.Sum
	projects []projectSum
}

type projectSum struct {
	id            string
	spent, before budget.Nano // ever; and by the time the project was started over
	used          string      // day of the latest payment
}

// ledger is the content of a file: everybody's book and the latest payer's, in a
// payer's file only that one.
type ledger struct {
	book
	payer string
	last  book
}

func (b *book) day(day string) budget.Nano {
	for _, s := range b.days {
		if s.Day == day {
			return s.Nano
		}
	}
	return 0
}

// project is nil for one that has paid nothing.
func (b *book) project(id string) *projectSum {
	for i := range b.projects {
		if b.projects[i].id == id {
			return &b.projects[i]
		}
	}
	return nil
}

func (b *book) add(sums []budget.Sum, project, today string) {
	var all budget.Nano
	for _, s := range sums {
		b.days, all = budget.Add(b.days, s.Day, s.Nano), all.Plus(s.Nano)
	}
	b.days = b.days[max(0, len(b.days)-keptDays):]
	b.total = b.total.Plus(all)
	if project != "" {
		b.book(projectSum{id: project, spent: all, used: today})
	}
}

// book adds to a project's sum. Of too many the one that was not used for the
// longest time goes.
func (b *book) book(more projectSum) {
	if p := b.project(more.id); p != nil {
		p.spent, p.used = p.spent.Plus(more.spent), max(p.used, more.used)
		return
	}
	if len(b.projects) >= maxProjects {
		oldest := slices.IndexFunc(b.projects, func(p projectSum) bool { return p.used == b.firstUsed() })
		b.projects = slices.Delete(b.projects, oldest, oldest+1)
	}
	b.projects = append(b.projects, more)
}

func (b *book) firstUsed() string {
	first := b.projects[0].used
	for _, p := range b.projects {
		first = min(first, p.used)
	}
	return first
}

func (b *book) merge(other book) {
	b.add(other.days, "", "")
	for _, p := range other.projects {
		b.book(p)
	}
}

func (l *ledger) totals(project string) budget.Totals {
	t := budget.Totals{Days: l.days}
	if p := l.project(project); p != nil {
		t.Project, t.Lifetime = max(0, p.spent-p.before), p.spent
	}
	return t
}

const (
	ledgerHead    = "checkrein ledger " // and the version
	ledgerVersion = 1
)

// bytes is the ledger as its file has it: a line for each sum, and a checksum.
func (l ledger) bytes() []byte {
	const line = 64
	out := make([]byte, 0, line*(8+len(l.days)+len(l.projects)+len(l.last.days)+len(l.last.projects)))
	out = l.append(append(words(out, ledgerHead+"1"), '\n'))
	if l.payer != "" {
		out = l.last.append(append(words(out, "payer", l.payer), '\n'))
	}
	return append(out, sumLine(out)...)
}

func (b *book) append(out []byte) []byte {
	if b.total == 0 {
		return out
	}
	out = append(amount(words(out, "total"), b.total), '\n')
	for _, s := range b.days {
		out = append(amount(words(out, "day", s.Day), s.Nano), '\n')
	}
	for _, p := range b.projects {
		out = amount(amount(words(out, "project", p.id), p.spent), p.before)
		out = append(append(append(out, ' '), p.used...), '\n')
	}
	return out
}

func words(out []byte, first string, more ...string) []byte {
	out = append(out, first...)
	for _, word := range more {
		out = append(append(out, ' '), word...)
	}
	return out
}

func amount(out []byte, n budget.Nano) []byte {
	return strconv.AppendInt(append(out, ' '), int64(n), 10)
}

func sumLine(text []byte) string { return fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE(text)) }
