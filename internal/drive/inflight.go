package drive

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/redact"
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

// readInflight reads a record; one that is no record, or is gone, is empty.
func readInflight(path string) (in inflight, err error) {
	data, err := read(path)
	if err != nil || json.Unmarshal(data, &in, jsontext.AllowInvalidUTF8(true)) != nil {
		return inflight{}, err
	}
	return in, nil
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

func source(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
