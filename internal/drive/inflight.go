package drive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/harness"
	"checkrein/internal/proc"
	"checkrein/internal/redact"
	"checkrein/internal/repo"
	"checkrein/internal/trial"
)

// inflight is what a killed command would lose of a run: it is on disk before
// the run's copy exists, again before its agent starts, and removed after the
// run is recorded. The first six fields are those of the Python program, which
// knows one run at a time.
type inflight struct {
	Task      string  `json:"task"`
	Harness   string  `json:"harness"`
	Label     string  `json:"label"`
	Started   string  `json:"started"`
	Charged   float64 `json:"charged_usd"` // what a loss counts; 0 until the agent starts
	Workspace string  `json:"workspace"`   // the folder that holds the copy

	Run      string       `json:"run,omitzero"`
	Record   trial.Record `json:"record,omitzero"` // as far as it was known
	Agent    bool         `json:"agent_started,omitzero"`
	Priced   bool         `json:"priced,omitzero"`
	Model    string       `json:"model,omitzero"`
	Reserved float64      `json:"reserved_usd,omitzero"`
}

// mark writes the run's in-flight record.
func (d *drive) mark(j job, rec trial.Record, agent bool) error {
	in := inflight{
		Task: rec.Task, Harness: rec.Harness, Label: rec.Label, Started: rec.Started, Workspace: copyRoot(j.run),
		Run: j.run, Record: rec, Agent: agent, Priced: j.adapter.Priced(), Model: j.adapter.Model, Reserved: j.reserved,
	}
	if agent {
		in.Charged = j.reserved
	}
	data, err := json.Marshal(in, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	return replace(d.folder.slot(j.slot), append(data, '\n'), agent)
}

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
	for _, path := range d.folder.slots() {
		data, err := read(path)
		if err != nil {
			return err
		}
		var in inflight
		if json.Unmarshal(data, &in, jsontext.AllowInvalidUTF8(true)) == nil && in.Task != "" && in.Harness != "" {
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
	return errors.Join(d.closeAccounts(accounts, records), repo.Sweep())
}

func (d *drive) recoverRun(in inflight, account trial.Account, records []trial.Record) error {
	proc.Sweep(in.Run)
	bill := d.lostBill(in, account)
	if started := in.Agent || in.Run == ""; started && !recorded(in, records) {
		rec := in.lostRecord(bill)
		if err := d.results.add(rec); err != nil {
			return err
		}
		d.emit(trial.Event{Kind: trial.Recovered, Run: in.Run, ID: rec.ID(), USD: bill.Charge, Label: rec.Label, Record: &rec})
	}
	if in.Run != "" {
		if err := d.closeAccount(account, in.Run, bill); err != nil {
			return err
		}
	}
	return in.removeCopy()
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

func (in inflight) lostRecord(bill trial.Bill) trial.Record {
	rec := in.Record
	if in.Run == "" { // the Python program's
		rec = trial.Record{
			Schema: trial.Schema, Task: in.Task, Harness: in.Harness, Label: redact.Line(in.Label, 40), Started: redact.Line(in.Started, 40),
		}
	}
	rec.Status, rec.Error = trial.Interrupted, "the run was killed before it finished"
	rec.Cost, rec.Charged, rec.CostSource = bill.Cost, bill.Charge, source(bill.Source)
	if bill.Cost == nil {
		rec.Error += "; its cost is an estimate"
	}
	return rec
}

func recorded(in inflight, records []trial.Record) bool {
	for _, r := range records {
		if in.Run != "" && r.Run == in.Run {
			return true
		}
		if in.Run == "" && r.Task == in.Task && r.Harness == in.Harness && r.Started == in.Started {
			return true
		}
	}
	return false
}

// removeCopy removes the run's folder. Only a folder that this program or the
// Python one made is touched.
func (in inflight) removeCopy() error {
	info, err := os.Lstat(in.Workspace)
	if err != nil || !info.IsDir() {
		return nil
	}
	name := filepath.Base(in.Workspace)
	ours := in.Run != "" && name == copyPrefix+in.Run
	if !ours && (in.Run != "" || !strings.HasPrefix(name, copyPrefix) || !isDir(filepath.Join(in.Workspace, ".git"))) {
		return nil
	}
	return removeAll(in.Workspace)
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

func source(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
