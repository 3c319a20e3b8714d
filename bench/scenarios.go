package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

type bench struct {
	programs programs
	work     string
	rounds   int
	scale    int64 // 1; 10 makes every session a tenth of its size
	missed   int
	calls    int
}

func (b *bench) all(only string, strict bool) error {
	fmt.Printf("%-34s %-10s %9s %9s %9s %9s\n", "scenario", "program", "median ms", "p10 ms", "cpu ms", "RSS MB")
	for _, scenario := range [...]struct {
		name string
		run  func() error
	}{
		{"repeat", b.repeat},
		{"growing", b.growing},
		{"sizes", b.sizes},
		{"first", b.first},
		{"gigabyte", b.gigabyte},
		{"inits", b.inits},
	} {
		if only != "" && only != scenario.name {
			continue
		}
		if err := scenario.run(); err != nil {
			return fmt.Errorf("%s: %w", scenario.name, err)
		}
	}
	if strict && b.missed > 0 {
		return fmt.Errorf("%d targets missed", b.missed)
	}
	return nil
}

// turns runs rounds in which each of the contenders runs once.
func (b *bench) turns(rounds int, contenders ...func(round int) (sample, error)) ([]samples, error) {
	all := make([]samples, len(contenders))
	const warm = 3
	for round := range rounds + warm {
		for i, run := range contenders {
			got, err := run(round)
			if err != nil {
				return nil, err
			}
			if round >= warm {
				all[i] = append(all[i], got)
			}
		}
	}
	return all, nil
}

func (b *bench) stateDir(p program, s session) string {
	return filepath.Join(b.work, "state-"+s.id+"-"+p.name)
}

// call is the next hook call of a session, by one program.
func (b *bench) call(p program, s session) (sample, error) {
	b.calls++
	return start(p, b.stateDir(p, s), s.input(b.calls))
}

// open makes a session that every program has read once.
func (b *bench) open(id string, size int64) (session, error) {
	s, err := makeSession(filepath.Join(b.work, "session-"+id), id, size/b.scale)
	if err != nil {
		return s, err
	}
	for _, p := range b.programs.list() {
		if err := b.forget(p, s); err != nil {
			return s, err
		}
		if _, err := b.call(p, s); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (b *bench) forget(p program, s session) error {
	dir := b.stateDir(p, s)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o700)
}

func (b *bench) remove(s session) {
	os.RemoveAll(s.dir)
	for _, p := range b.programs.list() {
		os.RemoveAll(b.stateDir(p, s))
	}
}

// each makes one contender per program.
func (b *bench) each(run func(p program, round int) (sample, error)) []func(int) (sample, error) {
	var contenders []func(int) (sample, error)
	for _, p := range b.programs.list() {
		contenders = append(contenders, func(round int) (sample, error) { return run(p, round) })
	}
	return contenders
}

// repeat: the transcript has not grown since the call before.
func (b *bench) repeat() error {
	s, err := b.open("repeat", 5*megabyte)
	if err != nil {
		return err
	}
	defer b.remove(s)
	got, err := b.turns(b.rounds, b.each(func(p program, _ int) (sample, error) { return b.call(p, s) })...)
	if err != nil {
		return err
	}
	b.rows("repeat call, 5 MB", got)
	b.target("repeat call / empty Go (median)", ratio(got[1].wall(.5), got[0].wall(.5)), 3)
	b.target("repeat call / empty Go (p10)", ratio(got[1].wall(.1), got[0].wall(.1)), 3)
	b.faster("repeat call", got, 15)
	return nil
}

// growing: a few responses came since the call before.
func (b *bench) growing() error {
	s, err := b.open("growing", 5*megabyte)
	if err != nil {
		return err
	}
	defer b.remove(s)
	n := 1 << 20
	got, err := b.turns(b.rounds/4, b.each(func(p program, _ int) (sample, error) {
		if p.name == b.programs.empty.name {
			return b.call(p, s)
		}
		for range 12 {
			if err := appendTo(s.transcript, responseRows(s.id, n)); err != nil {
				return sample{}, err
			}
			n++
		}
		return b.call(p, s)
	})...)
	if err != nil {
		return err
	}
	b.rows("repeat call, 64-128 KB new", got)
	return nil
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// sizes: what is old must cost nothing.
func (b *bench) sizes() error {
	small, err := b.openOurs("small", 5*megabyte)
	if err != nil {
		return err
	}
	defer b.remove(small)
	large, err := b.openOurs("large", 500*megabyte)
	if err != nil {
		return err
	}
	defer b.remove(large)
	ours := b.programs.ours
	got, err := b.turns(b.rounds,
		func(int) (sample, error) { return b.call(ours, small) },
		func(int) (sample, error) { return b.call(ours, large) })
	if err != nil {
		return err
	}
	b.row("repeat call, 5 MB", ours.name, got[0])
	b.row("repeat call, 500 MB", ours.name, got[1])
	b.target("500 MB / 5 MB (median)", ratio(got[1].wall(.5), got[0].wall(.5)), 1.15)
	b.target("500 MB / 5 MB (p10)", ratio(got[1].wall(.1), got[0].wall(.1)), 1.15)
	return nil
}

func (b *bench) openOurs(id string, size int64) (session, error) {
	s, err := makeSession(filepath.Join(b.work, "session-"+id), id, size/b.scale)
	if err == nil {
		err = b.forget(b.programs.ours, s)
	}
	if err == nil {
		_, err = b.call(b.programs.ours, s)
	}
	return s, err
}

// first: the guard meets a session that is already long.
func (b *bench) first() error {
	s, err := makeSession(filepath.Join(b.work, "session-first"), "first", 50*megabyte/b.scale)
	if err != nil {
		return err
	}
	defer b.remove(s)
	got, err := b.turns(max(b.rounds/40, 3), b.each(func(p program, _ int) (sample, error) {
		if err := b.forget(p, s); err != nil {
			return sample{}, err
		}
		return b.call(p, s)
	})...)
	if err != nil {
		return err
	}
	b.rows("first check of 50 MB", got)
	b.faster("first check of 50 MB", got, 5)
	return nil
}

// gigabyte: memory must not follow the size.
func (b *bench) gigabyte() error {
	s, err := makeSession(filepath.Join(b.work, "session-gigabyte"), "gigabyte", 1024*megabyte/b.scale)
	if err != nil {
		return err
	}
	defer b.remove(s)
	ours := b.programs.ours
	if err := b.forget(ours, s); err != nil {
		return err
	}
	got, err := b.call(ours, s)
	if err != nil {
		return err
	}
	b.row("first check of 1 GB", ours.name, samples{got})
	b.target("1 GB, memory in MB", float64(got.rss)/megabyte, 64)
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func (b *bench) rows(scenario string, got []samples) {
	for i, p := range b.programs.list() {
		b.row(scenario, p.name, got[i])
	}
	if b.programs.reference == nil {
		fmt.Printf("%-34s %-10s %9s\n", scenario, "reference", "not given")
	}
}

func (b *bench) row(scenario, name string, s samples) {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	fmt.Printf("%-34s %-10s %9.2f %9.2f %9.2f %9.1f\n", scenario, name, ms(s.wall(.5)), ms(s.wall(.1)), ms(s.cpu(.5)), float64(s.rss())/megabyte)
}

// target prints a number that must not be above limit.
func (b *bench) target(what string, got, limit float64) {
	verdict := "ok"
	if got > limit {
		verdict = "MISSED"
		b.missed++
	}
	fmt.Printf("  target: %-38s %8.2f  at most  %6.2f  %s\n", what, got, limit, verdict)
}

// faster prints how many times faster than the reference ours is; it must be
// limit at least.
func (b *bench) faster(what string, got []samples, limit float64) {
	if b.programs.reference == nil {
		fmt.Printf("  target: %-38s not given  at least %6.2f\n", what+", reference / ours", limit)
		return
	}
	for _, q := range []float64{.5, .1} {
		name := map[float64]string{.5: "median", .1: "p10"}[q]
		n, verdict := ratio(got[2].wall(q), got[1].wall(q)), "ok"
		if n < limit {
			verdict = "MISSED"
			b.missed++
		}
		fmt.Printf("  target: %-38s %8.2f  at least %6.2f  %s\n", fmt.Sprintf("%s, reference / ours (%s)", what, name), n, limit, verdict)
	}
}
