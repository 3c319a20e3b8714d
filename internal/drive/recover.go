package drive

import (
	"os"

	"checkrein/internal/harness"
	"checkrein/internal/proc"
	"checkrein/internal/repo"
	"checkrein/internal/trial"
)

// recover takes care of every run that a killed command left: it ends what
// still runs, counts what was spent, records the run, and removes the copy.
func (d *drive) recover() error {
	records, err := ReadRecords(d.folder.Results)
	if err != nil {
		return err
	}
	ledger, err := read(d.folder.ledger())
	if err != nil {
		return err
	}
	accounts := map[string]trial.Account{}
	for _, a := range trial.ReadLedger(ledger) {
		accounts[a.Run] = a
	}
	slots := d.folder.slots()
	if records, err = d.catchUp(slots, records); err != nil {
		return err
	}
	for _, path := range slots {
		in, err := readInflight(path)
		if err != nil {
			return err
		}
		if in.Task != "" && in.Harness != "" {
			if err := d.recoverRun(in, accounts[in.Run], records); err != nil {
				return err
			}
			delete(accounts, in.Run)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	// What the killed command kept of its copies; no agent uses it any more.
	d.warnOfLeft(os.TempDir(), repo.Sweep())
	return d.closeAccounts(accounts, records)
}

// catchUp adds the record to the results that a kill left in the log alone. Its
// in-flight record is still there, which tells it from one that a user took out
// of the results.
func (d *drive) catchUp(slots []string, records []trial.Record) ([]trial.Record, error) {
	if len(slots) == 0 {
		return records, nil
	}
	logged, err := d.folder.logged()
	if err != nil || len(logged) == 0 {
		return records, err
	}
	last := logged[len(logged)-1]
	for _, path := range slots {
		in, err := readInflight(path)
		if err != nil {
			return records, err
		}
		if in.Run != "" && in.Run == last.Run && !recorded(in, records) {
			return append(records, last), d.results.add(last)
		}
	}
	return records, nil
}

func (d *drive) recoverRun(in inflight, account trial.Account, records []trial.Record) error {
	proc.Sweep(in.Run)
	bill := d.lostBill(in, account)
	if started := in.Agent || in.Run == ""; started && !recorded(in, records) {
		rec := in.lostRecord(bill)
		e := trial.Event{Kind: trial.Recovered, Run: in.Run, ID: rec.ID(), USD: bill.Charge, Label: rec.Label, Record: &rec}
		if err := d.record(e); err != nil {
			return err
		}
	}
	if in.Run != "" {
		if err := d.closeAccount(account, in.Run, bill); err != nil {
			return err
		}
	}
	d.warnOfLeft(in.Workspace, in.removeCopy())
	return nil
}

// lostBill is what the run counts: what the ledger has, else what its output
// and its reservation say, else, for a record of the Python program, what that
// says.
func (d *drive) lostBill(in inflight, account trial.Account) trial.Bill {
	switch {
	case account.Charged != nil:
		bill := trial.Bill{Charge: *account.Charged, Source: account.Source}
		if bill.Source != harness.Unmeasured && bill.Source != harness.Unpriced && bill.Source != "" {
			bill.Cost = account.Charged
		}
		return bill
	case in.Run == "":
		return trial.Bill{Charge: max(in.Charged, 0), Source: harness.Unmeasured}
	case !in.Agent:
		return trial.Bill{}
	}
	h, ok := Known(in.Harness)
	if !ok {
		return trial.Bill{Charge: in.Reserved, Source: harness.Unmeasured}
	}
	a := trial.Adapter{Headless: h, Model: in.Model}
	prices := d.Surroundings.Adapter(in.Harness, in.Model)
	a.Price, a.PriceSum = prices.Price, prices.PriceSum
	out := h.Read(a.Reading(d.Tasks.TestCmd))
	readOutput(d.folder.log(in.Record.ID(), ".out"), out)
	return trial.ChargeLost(out.Outcome(), in.Priced, in.Reserved)
}

// closeAccounts closes what a kill left open between the ledger and an
// in-flight record: those runs had not started.
func (d *drive) closeAccounts(accounts map[string]trial.Account, records []trial.Record) error {
	for run, a := range accounts {
		bill := trial.Bill{}
		for _, r := range records {
			if r.Run == run {
				bill.Charge = r.Charged
			}
		}
		if err := d.closeAccount(a, run, bill); err != nil {
			return err
		}
	}
	return nil
}

// closeAccount writes the entries that the ledger lacks of a run.
func (d *drive) closeAccount(a trial.Account, run string, bill trial.Bill) error {
	if a.Run == "" || a.Closed {
		return nil
	}
	rest := d.bank.entry(trial.Release, run, a.ID, max(a.Reserved-bill.Charge, 0), "")
	if a.Charged != nil {
		return d.bank.write(rest)
	}
	return d.bank.write(d.bank.entry(trial.Settle, run, a.ID, bill.Charge, bill.Source), rest)
}
