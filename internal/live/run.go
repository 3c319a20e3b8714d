package live

import (
	"fmt"
	"slices"
	"time"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// Run reads the events of a run command.
type Run struct {
	started      time.Time
	cap, charged float64
	of, begun    int // trials to run, and those that were begun
	skipped      int
	byStatus     map[string]int // of those that are over
	running      []*trialNow    // in the order in which they began
	stopped      bool
}

// trialNow is a trial that runs.
type trialNow struct {
	run, name, subject string
	doing              string
	since              time.Time
	reserved, spent    float64 // spent: as far as the agent has reported it
}

// Take implements [Reader].
func (v *Run) Take(e trial.Event) []Line {
	switch e.Kind {
	case trial.Opened:
		*v = Run{started: e.At, cap: e.Cap, charged: e.Spent, of: e.Of, byStatus: map[string]int{}}
	case trial.Warned:
		return []Line{line("Note: %s", e.Text)}
	case trial.Recovered:
		return []Line{line("A run that a killed command left is recorded as interrupted, with %s counted.", Dollars(e.USD))}
	case trial.Planned:
		return v.plan(e)
	case trial.Recorded:
		return v.finish(e)
	case trial.Skipped:
		v.skipped += e.Left
		return []Line{line("        Fix: %s. The other %s runs are skipped.", e.Text, redact.Line(e.Label, 40))}
	case trial.Stopping:
		v.stopped = true
	}
	v.step(e)
	return nil
}

func (v *Run) plan(e trial.Event) []Line {
	t := &trialNow{
		run: e.Run, doing: "making a copy", since: e.At, subject: redact.Code(e.Subject, 60),
		name: fmt.Sprintf("[%d/%d] %s on %s", e.Number, e.Of, redact.Line(e.Label, 40), redact.Line(shortID(e.ID.Task), 40)),
	}
	v.begun++
	v.running = append(v.running, t)
	said := line("%s: %s", t.name, t.subject)
	said.Passing = true
	return []Line{said}
}

// step is what an event changes of the trial that it is of.
func (v *Run) step(e trial.Event) {
	i := v.find(e.Run)
	if i < 0 {
		return
	}
	t := v.running[i]
	switch e.Kind {
	case trial.Reserved:
		t.reserved = e.USD
	case trial.Spending:
		t.spent = e.USD
	case trial.Charged:
		t.reserved = 0
		v.charged += e.USD
	case trial.Copied:
		t.now("setting up", e.At)
	case trial.Prepared:
		t.now("starting the agent", e.At)
	case trial.AgentStarted:
		t.now("agent at work", e.At)
	case trial.AgentEnded:
		t.now("taking its changes", e.At)
	case trial.Captured:
		t.now("running the tests", e.At)
	case trial.Scored:
		t.now("cleaning up", e.At)
	}
}

func (t *trialNow) now(doing string, at time.Time) { t.doing, t.since = doing, at }

// find is the place of a run among those that go on; -1 when it is not there.
func (v *Run) find(run string) int {
	return slices.IndexFunc(v.running, func(t *trialNow) bool { return t.run == run })
}

// finish takes a trial out, and says how it ended.
func (v *Run) finish(e trial.Event) []Line {
	i := v.find(e.Run)
	if i < 0 || e.Record == nil {
		return nil
	}
	name := v.running[i].name
	v.running = slices.Delete(v.running, i, i+1)
	v.byStatus[e.Record.Status]++
	return []Line{ended(line("%s: ", name), e)}
}
