package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"checkrein/internal/budget"
	"checkrein/internal/guard"
)

// The ledger adds up what all sessions and test drives have paid. None of its
// names can be one of a session's files, which end in .json and .lock.
const (
	ledgerFile   = "ledger"
	ledgerLock   = "ledger-lock"
	ledgerBroken = "ledger.broken" // what was found in the ledger's place and is none
	paidSuffix   = ".paid"         // what one payer has paid
)

// errBroken is a file of the ledger that a power cut or somebody else changed.
var errBroken = errors.New("broken")

// Pay brings the ledger up to what a payer has spent so far in all, in
// nano-dollars by day, and
// returns what everybody has. project is the folder that the rest is booked on;
// "" for none.
//
// days only says how far the payer is, so paying twice adds nothing, and after a
// kill the next call pays what is missing. Where days holds less than was paid
// before, nothing is taken back.
//
// On disk the payer's vector is first in the ledger itself, with the sums it is
// part of, in one step; then in the payer's own file. Whoever comes next writes
// that file where a kill prevented it, before the ledger's copy is replaced.
// Nothing is synced, as in all of this folder.
func (s Store) Pay(payer, project string, days map[string]int64, now time.Time) (budget.Totals, error) {
	p := payment{Store: s, payer: Stem(payer), project: projectID(project), given: inOrder(days, now), now: now}
	if p.nothingNew() {
		return s.Totals(project, now)
	}
	if err := s.Make(); err != nil {
		return budget.Totals{}, err
	}
	l, err := lock(s.path(ledgerLock), lockWait)
	if err != nil {
		totals, _ := s.Totals(project, now)
		return totals, fmt.Errorf("waiting for the ledger: %w", err)
	}
	defer l.Release()
	return p.make()
}

// Totals is what everybody has paid so far; project is the folder whose sum is
// wanted, "" for none.
func (s Store) Totals(project string, now time.Time) (budget.Totals, error) {
	l, err := s.peek(ledgerFile)
	if errors.Is(err, errBroken) || errors.Is(err, fs.ErrNotExist) {
		l, err = s.mended(now)
	}
	if err != nil {
		return budget.Totals{}, fmt.Errorf("reading the ledger: %w", err)
	}
	return l.totals(projectID(project)), nil
}

// ResetProject starts a project's sum over, and returns what it was.
func (s Store) ResetProject(project string, now time.Time) (was budget.Nano, err error) {
	l, err := lock(s.path(ledgerLock), lockWait)
	if err != nil {
		return 0, fmt.Errorf("waiting for the ledger: %w", err)
	}
	defer l.Release()
	book, err := s.openLedger(now)
	if err != nil {
		return 0, fmt.Errorf("reading the ledger: %w", err)
	}
	p := book.project(projectID(project))
	if p == nil {
		return 0, nil
	}
	was, p.before = p.spent-p.before, p.spent
	return was, replace(s.path(ledgerFile), book.bytes())
}

// projectID is the name of a project's folder in the ledger, which keeps no
// paths.
func projectID(folder string) string {
	if folder == "" {
		return ""
	}
	return guard.NewID(folder).String()
}

// peek reads a file of the ledger without the lock. Its writers write over what
// was in place before the last change, which a slow reader may still be reading:
// the checksum shows that, and the next try reads another file.
func (s Store) peek(name string) (l ledger, err error) {
	for range 3 {
		if l, err = s.readLedger(name); !errors.Is(err, errBroken) {
			break
		}
	}
	return l, err
}

func (s Store) readLedger(name string) (ledger, error) {
	f, err := os.OpenFile(s.path(name), os.O_RDONLY|plainFile, 0)
	if err != nil {
		return ledger{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return ledger{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxStateBytes {
		return ledger{}, errBroken
	}
	data := make([]byte, info.Size())
	if n, err := f.Read(data); err != nil || n != len(data) {
		return ledger{}, errBroken
	}
	return parseLedger(data)
}

// openLedger reads the ledger under its lock. What is there instead is put
// aside, and the ledger made anew.
func (s Store) openLedger(now time.Time) (ledger, error) {
	l, err := s.readLedger(ledgerFile)
	switch {
	case errors.Is(err, errBroken):
		s.LogError("ledger", "not what was written; put aside as "+ledgerBroken+" and added up again", now)
		_ = os.Remove(s.path(ledgerBroken))
		if err := os.Rename(s.path(ledgerFile), s.path(ledgerBroken)); err != nil {
			return l, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return l, err
	}
	return s.addUp(), nil
}

// mended is the ledger made anew, if anybody has paid.
func (s Store) mended(now time.Time) (ledger, error) {
	held, err := lock(s.path(ledgerLock), lockWait)
	if errors.Is(err, fs.ErrNotExist) { // no state folder
		return ledger{}, nil
	}
	if err != nil {
		return ledger{}, err
	}
	defer held.Release()
	l, err := s.openLedger(now)
	if err == nil && l.total > 0 {
		err = replace(s.path(ledgerFile), l.bytes())
	}
	return l, err
}

// addUp makes the ledger from what each payer's own file says.
func (s Store) addUp() (all ledger) {
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), paidSuffix) {
			continue
		}
		if paid, err := s.readLedger(e.Name()); err == nil && paid.payer+paidSuffix == e.Name() {
			all.merge(paid.last)
		}
	}
	return all
}
