package drive

import (
	"context"

	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// job is one run of one trial, with its money.
type job struct {
	id       trial.ID
	run      string
	slot     int
	adapter  trial.Adapter
	reserved float64
}

// schedule starts trials in plan order, as many side by side as asked, each
// once money is set aside for it.
type schedule struct {
	d       *drive
	pending []trial.ID
	next    int // first of pending that was neither started nor skipped
	jobs    int
	slots   []int // free ones
	ended   chan finished
	skipped map[string]bool
	atCap   bool
}

type finished struct {
	job    job
	record trial.Record
}

func newSchedule(d *drive, pending []trial.ID) *schedule {
	s := &schedule{d: d, pending: pending, jobs: max(d.Jobs, 1), ended: make(chan finished), skipped: map[string]bool{}}
	for n := range s.jobs {
		s.slots = append(s.slots, n)
	}
	return s
}

// run returns when all that was started has ended, with what broke on our side.
func (s *schedule) run(ctx context.Context) error {
	stopped := ctx.Done()
	for {
		s.start(ctx)
		if s.idle() {
			break
		}
		select {
		case f := <-s.ended:
			s.finish(f)
		case <-s.d.bank.freed: // a run is being scored, and its money is back
		case <-stopped:
			s.d.emit(trial.Event{Kind: trial.Stopping})
			stopped = nil
		}
	}
	if left := s.left(func(variant string) bool { return !s.skipped[variant] }); s.atCap && left > 0 && ctx.Err() == nil {
		s.d.emit(trial.Event{Kind: trial.CapReached, Left: left})
	}
	return s.d.failure()
}

func (s *schedule) idle() bool { return len(s.slots) == s.jobs }

// start fills the free slots. It stops at a trial that has to wait for money,
// because what a running trial gives back may be enough for it: the plan's
// order is kept.
func (s *schedule) start(ctx context.Context) {
	for s.next < len(s.pending) && len(s.slots) > 0 && ctx.Err() == nil && s.d.failure() == nil {
		id := s.pending[s.next]
		a := s.d.adapter(id.Variant)
		if s.skipped[a.Variant.Name] {
			s.next++
			continue
		}
		j := job{id: id, run: newRun(), adapter: a}
		usd, ok, err := s.d.bank.reserve(j.run, id, a.High())
		if err != nil {
			s.d.fail(err)
			return
		}
		if s.atCap = !ok; !ok {
			return
		}
		j.reserved = usd
		s.launch(ctx, j)
	}
}

func (s *schedule) launch(ctx context.Context, j job) {
	j.slot, s.slots = s.slots[0], s.slots[1:]
	s.next++
	s.d.emit(trial.Event{
		Kind: trial.Planned, Run: j.run, ID: j.id, Label: j.adapter.Label, Number: s.next, Of: len(s.pending),
		Subject: redact.Line(s.d.tasks[j.id.Task].Subject, 60),
	})
	s.d.emit(trial.Event{Kind: trial.Reserved, Run: j.run, ID: j.id, USD: j.reserved})
	go func() { s.ended <- finished{j, s.d.attempt(ctx, j)} }()
}

// finish frees the slot. An error that will come back on every task leaves out
// the harness's other trials.
func (s *schedule) finish(f finished) {
	s.slots = append([]int{f.job.slot}, s.slots...)
	name := f.job.adapter.Variant.Name
	if f.record.Status != trial.Error || f.record.Hint == "" || s.skipped[name] {
		return
	}
	out := s.left(func(variant string) bool { return variant == name })
	s.skipped[name] = true
	s.d.emit(trial.Event{Kind: trial.Skipped, Harness: name, Label: f.job.adapter.Label, Text: f.record.Hint, Left: out})
}

// left counts the trials of some variants that were not started.
func (s *schedule) left(of func(variant string) bool) int {
	n := 0
	for _, id := range s.pending[s.next:] {
		if of(id.Variant) {
			n++
		}
	}
	return n
}
