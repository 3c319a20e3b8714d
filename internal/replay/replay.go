// Package replay plays past sessions through the rules of the guard: what it
// would have stopped, when and why, and the evidence of what it did stop.
//
// It promises to read transcripts and nothing else, and to change nothing: no
// state, no ledger, no cache. The rules are those of package guard, asked at each
// call with what a hook call at that moment would have known.
package replay

import (
	"context"
	"runtime"
	"slices"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/limits"
	"checkrein/internal/price"
)

// Options say what to play and by which limits.
type Options struct {
	Getenv   func(string) string
	Home     string
	Harness  string    // "" for all that the guard knows
	Since    time.Time // sessions whose files were not written since then are left out
	CapUSD   *float64  // instead of the cap in the settings
	StateDir string    // where the user's settings are; only they are read
	Prices   func() *price.Table
	Zone     *time.Location
	MaxBytes int64                   // 0 for all; else the newest sessions up to so much
	Progress func(done, total int64) // bytes; called from one goroutine at a time
}

// Names are the harnesses whose sessions can be played.
func Names() (names []string) {
	for _, h := range registry.Replays() {
		names = append(names, h.Name)
	}
	return names
}

// sources are those that are asked for, "" for all.
func sources(only string) []harness.Replay {
	return slices.DeleteFunc(registry.Replays(), func(h harness.Replay) bool { return only != "" && only != h.Name })
}

// Run plays all sessions, one after another in the order in which they began.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{o: o, owners: owners{}, prices: o.Prices(), known: map[string]guard.Limits{}}
	r.find()
	r.choose()
	r.inOrder()
	if r.total() { // what all sessions together have paid at a time is known after all were played
		r.paid = &payments{}
		if err := r.play(ctx); err != nil {
			return nil, err
		}
		r.paid.settle()
		r.owners, r.report = owners{}, Report{}
	}
	if err := r.play(ctx); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

type run struct {
	o        Options
	sessions []*session
	left     int // sessions left out for want of time
	bytes    int64
	done     int64
	owners   owners
	prices   *price.Table
	paid     *payments
	report   Report
	known    map[string]guard.Limits // by project
}

// limits are those of a session: the user's and its project's, with the cap that
// was asked for.
func (r *run) limits(project string) guard.Limits {
	l, known := r.known[project]
	if known {
		return l
	}
	l, _ = limits.Load(r.o.Getenv, r.o.StateDir, project)
	if r.o.CapUSD != nil {
		l.SpendCapUSD = *r.o.CapUSD
	}
	r.known[project] = l
	return l
}

// total tells whether a cap over all sessions is on.
func (r *run) total() bool {
	for _, s := range r.sessions {
		l := r.limits(s.project)
		if l.On(guard.DayCapUSD) || l.On(guard.WeekCapUSD) || l.On(guard.MonthCapUSD) || l.On(guard.ProjectCapUSD) {
			return true
		}
	}
	return false
}

// play reads sessions ahead, on all processors, and plays them in order. What is
// read ahead is bounded, so that memory doesn't grow with the history.
func (r *run) play(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.done = 0
	read := make([]chan recording, len(r.sessions))
	slots := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for i := range read {
		read[i] = make(chan recording, 1)
	}
	go func() {
		for i, s := range r.sessions {
			select {
			case slots <- struct{}{}:
				go func() { read[i] <- s.read() }()
			case <-ctx.Done():
				return
			}
		}
	}()
	for i, s := range r.sessions {
		select {
		case rec := <-read[i]:
			r.playOne(s, rec)
			<-slots
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

func (r *run) playOne(s *session, rec recording) {
	r.report.take(s, newPlayer(r, s, rec).play(rec))
	if r.done += s.size; r.o.Progress != nil {
		r.o.Progress(r.done, r.bytes)
	}
}

// owners are the responses that a session has counted.
type owners map[guard.ID]guard.ID

// Owner is the session that counted a response.
func (o owners) Owner(response guard.ID) (guard.ID, bool) {
	session, ok := o[response]
	return session, ok
}
